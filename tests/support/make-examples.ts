import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectPageLoads } from '../../reports/html/collect-page-loads.ts';
import { renderStudiesPage } from '../../reports/html/studies/render-studies-page.ts';
import { renderStudiesMarkdown } from '../../reports/markdown/render-studies.ts';
import { studiesOf } from '../../src/app/studies/studies.ts';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { visualProgress } from '../../src/analyse/derive/visual-progress.ts';
import { collectPageChanges } from '../../src/app/report/page-changes.ts';
import { writeSummary } from '../../src/app/report/publish.ts';
import { readEvidence, readHar } from '../../src/store/evidence.ts';
import { openRunDirectory } from '../../src/store/run-directory.ts';

/**
 * Renews a sample report from the folder of a run: npm run examples -- NAME=results/web … It stands alone, so it has no
 * links to the HARs and films that lie beside a report in its run's folder. `studies=FOLDER`, a folder of runs of studies,
 * renews their sample page and the table in docs/studies.md.
 */
const projectDir = path.resolve(import.meta.dirname, '../..');
const examplesDir = path.join(projectDir, 'reports/examples');

function keep(name: string, text: string): void {
  writeFileSync(path.join(examplesDir, `${name}.html`), text);
  process.stdout.write(`${name}.html: ${Math.round(Buffer.byteLength(text) / 1000)} kB\n`);
}

async function renewStudies(folder: string): Promise<void> {
  const { studies, passedOver } = await studiesOf(folder);
  passedOver.forEach((line) => process.stderr.write(`${line}\n`));
  keep('studies', await renderStudiesPage(studies, { alone: true }));
  const page = path.join(projectDir, 'docs/studies.md');
  // The table ends the page.
  const [before = ''] = readFileSync(page, 'utf8').split(/(?<=<!-- measured -->)/);
  const table = renderStudiesMarkdown(studies).trimEnd();
  writeFileSync(page, `${before}\n\n<!-- prettier-ignore -->\n${table}\n`);
}

for (const argument of process.argv.slice(2)) {
  const [name = '', folder = ''] = argument.split('=');
  if (name === 'studies') {
    await renewStudies(folder);
    continue;
  }
  const directory = openRunDirectory(folder);
  const summary = writeSummary(directory);
  const { records } = directory.journal();
  const { pageLoads } = collectPageLoads(summary, records, (trialId) => {
    const evidence = readEvidence(directory.trialDir(trialId));
    return { ...evidence, progress: () => visualProgress(evidence.raw.frames, evidence.frameImages) };
  });
  const { changes } = collectPageChanges(summary, records, (trialId) => readHar(directory.trialDir(trialId)));
  const text = await renderHtmlReport(summary, { pageLoads, changes });
  keep(name, text);
}
