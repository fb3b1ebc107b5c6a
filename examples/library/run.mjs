// Measures a download over HTTP/2 and HTTP/3 in two blocks, and prints what came of each trial as it ends.
// node run.mjs [folder of the run]
import { run } from 'h2h3';

const { summary, reportPath, exitCode } = await run(
  {
    source: 'download',
    plan: { workloads: ['download-1mb'], networks: ['loopback'], repetitions: 2, exploratory: true },
    out: process.argv[2],
  },
  { onProgress: (event) => event.type === 'line' && console.error(event.text) },
);
for (const { workload, metric, unit, ratio, verdict } of summary.comparisons.filter(({ primary }) => primary))
  console.log(`${workload} ${metric} (${unit}): ratio ${ratio?.toFixed(3) ?? 'unknown'}, ${verdict}`);
console.log(`report: ${reportPath}`);
process.exitCode = exitCode;
