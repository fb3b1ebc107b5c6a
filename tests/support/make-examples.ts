import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create, extract } from 'tar';
import { collectPageLoads } from '../../reports/html/collect-page-loads.ts';
import { pageLoadsToShow } from '../../reports/html/page-loads.ts';
import { renderHtmlReport } from '../../reports/html/render-html-report.ts';
import { renderStudiesPage } from '../../reports/html/studies/render-studies-page.ts';
import { visualProgress } from '../../src/analyse/derive/visual-progress.ts';
import { collectPageChanges } from '../../src/app/report/page-changes.ts';
import { summaryOf } from '../../src/app/report/recorded-summary.ts';
import { studiesOf } from '../../src/app/studies/studies-page.ts';
import { readEvidence, readHar } from '../../src/store/evidence.ts';
import { openRunDirectory } from '../../src/store/run-directory.ts';
import type { RunDirectory } from '../../src/store/run-directory.ts';
import { madeUpPages } from './made-up-pages.ts';

/**
 * Makes every sample report, into results/examples: npm run examples. Reports of real runs are rendered from the runs that
 * are packed in reports/examples; `-- NAME=results/RUN` packs another one first. The other pages are made up. A sample is one
 * file, so it has no links to the HARs and films that a report finds in its run's folder. `studies=FOLDER`, a folder of runs
 * of studies, makes their page; these runs are too large to be kept packed.
 */
const projectDir = path.resolve(import.meta.dirname, '../..');
const examplesDir = path.join(projectDir, 'results/examples');
const runsDir = path.join(projectDir, 'reports/examples');
const ending = '.tar.gz';

/** What a report is rendered from: pictures and raw evidence of the loads that it shows, and the HAR of every trial. */
function filesOf(directory: RunDirectory): string[] {
  const { records } = directory.journal();
  const shown = pageLoadsToShow(summaryOf(directory), records).map(
    ({ workload, blockIndex }) => `${workload} ${blockIndex}`,
  );
  const isShown = new Set(
    records
      .filter(({ workload, blockIndex }) => shown.includes(`${workload} ${blockIndex}`))
      .map(({ trialId }) => trialId),
  );
  const files = readdirSync(directory.path, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const [folder, trialId = '', name] = file.split(path.sep);
    if (folder !== 'trials') return ['plan.json', 'journal.jsonl', 'environment.json'].includes(file);
    return name === 'page.har.gz' || (isShown.has(trialId) && /raw\.json\.gz$|\.jpe?g$/.test(file));
  });
  return files.toSorted();
}

async function pack(name: string, folder: string): Promise<void> {
  const directory = openRunDirectory(folder);
  const file = path.join(runsDir, `${name}${ending}`);
  // The same run gives the same bytes.
  await create(
    { file, gzip: { level: 9 }, cwd: directory.path, portable: true, mtime: new Date(0) },
    filesOf(directory),
  );
}

async function renderPacked(name: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'h2h3-example-'));
  try {
    await extract({ file: path.join(runsDir, `${name}${ending}`), cwd: folder });
    const directory = openRunDirectory(folder);
    const summary = summaryOf(directory);
    const { records } = directory.journal();
    const { pageLoads } = collectPageLoads(summary, records, (trialId) => {
      const evidence = readEvidence(directory.trialDir(trialId));
      return { ...evidence, progress: () => visualProgress(evidence.raw.frames, evidence.frameImages) };
    });
    const { changes } = collectPageChanges(summary, records, (trialId) =>
      readHar(directory.trialDir(trialId)),
    );
    return await renderHtmlReport(summary, { pageLoads, changes });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function keep(name: string, text: string): void {
  writeFileSync(path.join(examplesDir, `${name}.html`), text);
  process.stdout.write(`${name}.html: ${Math.round(Buffer.byteLength(text) / 1000)} kB\n`);
}

async function renewStudies(folder: string): Promise<void> {
  const { studies, passedOver } = await studiesOf({ out: folder });
  passedOver.forEach((line) => process.stderr.write(`${line}\n`));
  keep('studies', await renderStudiesPage(studies, { alone: true }));
}

mkdirSync(examplesDir, { recursive: true });
for (const argument of process.argv.slice(2)) {
  const [name = '', folder = ''] = argument.split('=');
  if (name === 'studies') await renewStudies(folder);
  else await pack(name, folder);
}
for (const [name, text] of Object.entries(await madeUpPages())) keep(name, text);
for (const file of readdirSync(runsDir).filter((name) => name.endsWith(ending))) {
  const name = path.basename(file, ending);
  keep(name, await renderPacked(name));
}
