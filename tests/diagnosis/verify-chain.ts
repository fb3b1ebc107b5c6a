/**
 * One published case link by link: why a browser's HTTP/3 is slower than its HTTP/2 at 1 Gbit/s (Zhang et al. 2024, sections 5.2
 * and 5.3, tables 3 and 4). Measures a download of 1 GB in Chromium with every probe that the chain needs, and prints what was found
 * next to what was published:
 *
 *     npm run verify:chain [-- --workload download-100mb] [--repetitions N] [--folder DIR]
 *
 * It wants root (a link of its own, perf). Probes cost time, so times stand here for their direction alone. A folder with a whole run
 * is only read.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Summary } from '../../src/core/model/summary.ts';
import { readSummary, startCli } from '../support/cli.ts';

const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: 'download-1gb' },
    repetitions: { type: 'string', default: '6' },
    folder: { type: 'string' },
  },
});

/** Of 1 GB in Chrome 102 over HTTP/2 and HTTP/3, by the metric that counts the same here. */
const published: Readonly<Record<string, readonly [words: string, h2: string, h3: string]>> = {
  totalRequestTimeMs: ['time, ms', '9360', '18600'],
  transportPacketsReceived: ['packets handed to the transport', '53 000 to 58 000', '743 000 to 744 000'],
  smoothedRttMs: ['smoothed round trip, ms', '1.9', '16.2'],
  netifReceiveSkbCalls: ['netif_receive_skb calls', '15 000', '231 000'],
  syscalls: ['system calls', '4 000', '17 000'],
};
/** Table 4, s of 4.1 over HTTP/2 and of 8.5 over HTTP/3, by the stage that is known under this title here. */
const publishedStages: Readonly<Record<string, readonly [h2: string, h3: string]>> = {
  'socket read': ['37', '248'],
  'packet processing': ['84', '310'],
  decryption: ['814', '660'],
  'frames and streams': ['3182', '3468'],
  'acknowledgements, and what else is sent': ['none', '2972'],
  rest: ['1', '859'],
};

const figure = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: false });

function rowsOf({ comparisons, diagnosis = [] }: Summary): string[][] {
  const counted = Object.entries(published).map(([metric, [words, h2, h3]]) => {
    const found = comparisons.find((one) => one.metric === metric);
    const median = (value: number | null | undefined): string =>
      typeof value === 'number' ? figure.format(value) : 'not recorded';
    const n = found === undefined ? '0' : String(found.baseline.n);
    return [words, h2, h3, median(found?.baseline.median), median(found?.candidate.median), n];
  });
  const stages = diagnosis
    .flatMap(({ networkingCpu = [] }) => networkingCpu)
    .filter(({ by }) => by === 'symbol')
    .flatMap(({ blocks, stages: found }) =>
      found.map(({ title, baselineMs, candidateMs }) => {
        const [h2, h3] = publishedStages[title] ?? ['', ''];
        return [`CPU: ${title}, ms`, h2, h3, baselineMs.toFixed(0), candidateMs.toFixed(0), String(blocks)];
      }),
    );
  return [...counted, ...stages];
}

const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-chain-'));
const folder = values.folder ?? join(temporary, 'run');
try {
  const probes = 'packets,kernel,transport,qlog,profile,activity';
  const place = ['--workload', values.workload, '--client', 'chromium', '--network', 'ethernet-1g'];
  const words = ['run', ...place, '--arms', 'h2,h3', '--probe', probes, '--repetitions', values.repetitions];
  if (!existsSync(join(folder, 'summary.json'))) {
    const { child, result } = startCli([...words, '--exploratory', '--out', folder]);
    child.stderr?.pipe(process.stderr);
    const { code } = await result;
    if (code !== 0) throw new Error(`h2h3 ${words.join(' ')} ended with ${code}`);
  }
  const summary = readSummary(folder);
  const head = ['', 'published: HTTP/2', 'HTTP/3', 'here: HTTP/2', 'HTTP/3', 'blocks'];
  for (const row of [head, head.map(() => '---'), ...rowsOf(summary)])
    process.stdout.write(`| ${row.join(' | ')} |\n`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
