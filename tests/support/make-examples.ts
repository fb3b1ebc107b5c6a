import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectPageLoads } from '../../reports/html/collect-page-loads.ts';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { visualProgress } from '../../src/analyse/derive/visual-progress.ts';
import { collectPageChanges } from '../../src/app/report/page-changes.ts';
import { writeSummary } from '../../src/app/report/publish.ts';
import { readEvidence, readHar } from '../../src/store/evidence.ts';
import { openRunDirectory } from '../../src/store/run-directory.ts';

/**
 * Renews a sample report from the folder of a run: npm run examples -- NAME=results/web … It stands alone, so it has no
 * links to the HARs and films that lie beside a report in its run's folder.
 */
const examplesDir = path.resolve(import.meta.dirname, '../../reports/examples');

for (const argument of process.argv.slice(2)) {
  const [name = '', folder = ''] = argument.split('=');
  const directory = openRunDirectory(folder);
  const summary = writeSummary(directory);
  const { records } = directory.journal();
  const { pageLoads } = collectPageLoads(summary, records, (trialId) => {
    const evidence = readEvidence(directory.trialDir(trialId));
    return { ...evidence, progress: () => visualProgress(evidence.raw.frames, evidence.frameImages) };
  });
  const { changes } = collectPageChanges(summary, records, (trialId) => readHar(directory.trialDir(trialId)));
  const text = await renderHtmlReport(summary, { pageLoads, changes });
  writeFileSync(path.join(examplesDir, `${name}.html`), text);
  process.stdout.write(`${name}.html: ${Math.round(Buffer.byteLength(text) / 1000)} kB\n`);
}
