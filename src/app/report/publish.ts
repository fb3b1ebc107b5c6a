import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderChat } from '../../../reports/chat/render-chat.ts';
import { renderAudienceCsv } from '../../../reports/csv/audience-csv.ts';
import { renderComparisonsCsv } from '../../../reports/csv/comparisons-csv.ts';
import { chunkParts, hasChunks } from '../../../reports/csv/render-chunks-csv.ts';
import { csvParts } from '../../../reports/csv/render-csv.ts';
import { collectPageLoads } from '../../../reports/html/collect-page-loads.ts';
import { renderReportPages } from '../../../reports/html/render-html-report.ts';
import type { ReportPage } from '../../../reports/html/render-parts.ts';
import { partFolder } from '../../../reports/html/render-parts.ts';
import type { ReportFilm } from '../../../reports/html/sections/films.ts';
import { renderTailsCsv } from '../../../reports/csv/tails-csv.ts';
import { renderCard } from '../../../reports/svg/render-card.ts';
import { cardPicture } from '../../../reports/svg/card-picture.ts';
import type { UnpackedHar } from '../../../reports/html/sections/har-links.ts';
import { renderJunit } from '../../../reports/junit/render-junit.ts';
import { renderMarkdown } from '../../../reports/markdown/render-markdown.ts';
import { visualProgress } from '../../analyse/derive/visual-progress.ts';
import { withGateHeadline } from '../../analyse/gate/with-gate-headline.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import { readEvidence, readHar } from '../../store/evidence.ts';
import { storageError } from '../../core/system/storage-error.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { isRunning } from '../../store/run-lock.ts';
import { makeFilms } from './films.ts';
import { journeyFailures } from './journey-failures.ts';
import { judgedBudgets } from '../judge/judged-budgets.ts';
import { judgedGate } from '../judge/judged-gate.ts';
import { withResume } from '../judge/with-resume.ts';
import { collectPageChanges } from './page-changes.ts';
import { summaryOf } from './recorded-summary.ts';
import { withDiagnosisRun } from '../explain/plan-diagnosis.ts';
import { withExperiments } from '../explain/propose.ts';
import { isResultsFolder, publishIndex } from './publish-index.ts';
import { unpackHars } from './unpack-hars.ts';

/** What a summary takes into account besides the run directory. */
export interface SummaryOptions {
  /** The run's own records, where more is known of them than the journal says. */
  readonly records?: readonly TrialRecord[];
}

/** Summarises a run directory and writes `summary.json`. */
export function writeSummary(directory: RunDirectory, { records }: SummaryOptions = {}): Summary {
  const plain = summaryOf(directory, records);
  const { plan } = directory;
  const judged = plan.gate === true ? withGateHeadline(plain, judgedGate(directory)) : plain;
  const told = withExperiments(directory, withDiagnosisRun(directory, judged));
  const summary = { ...told, answers: [...withResume(directory, told.answers)] };
  directory.write('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  return summary;
}

/** Trials whose HAR a reader may want next to the report: the page loads shown, and the first block of each session. */
function shownTrials(summary: Summary, pageLoads: readonly UnpackedHar[]): UnpackedHar[] {
  const groups = Map.groupBy(summary.sessions, ({ workload, client, network }) =>
    JSON.stringify([workload, client, network]),
  );
  const sessions = [...groups.values()].flatMap((group) =>
    group.filter(({ blockIndex }) => blockIndex === group[0]?.blockIndex),
  );
  return [...pageLoads, ...sessions];
}

/** Writes `report.html` and the parts of a large report; parts of an earlier one go. */
function writePages(directory: RunDirectory, pages: readonly ReportPage[]): void {
  const folder = join(directory.path, partFolder);
  try {
    rmSync(folder, { recursive: true, force: true });
    if (pages.length > 1) mkdirSync(folder);
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
  for (const { path, text } of pages) directory.write(path, text);
}

/** The report of a run is whole without the list of runs, which may lie in a folder that is not writable. */
async function listRun(directory: RunDirectory, say: (line: string) => void): Promise<void> {
  const parent = dirname(directory.path);
  if (!isResultsFolder(parent)) return;
  try {
    await publishIndex(parent);
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'storage') throw thrown;
    say(`warning: the list of runs was not written: ${thrown.message}`);
  }
}

/** Writes the picture of the answer; returns the name of the one for comments and chats, which show no drawings. */
async function writeCard(
  directory: RunDirectory,
  summary: Summary,
  { publishedAt, say }: Pick<Announced, 'publishedAt' | 'say'>,
): Promise<string> {
  const svg = renderCard(summary);
  directory.write('card.svg', svg);
  const picture = await cardPicture(svg);
  if (picture !== undefined) {
    directory.write('card.png', picture);
    return 'card.png';
  }
  rmSync(join(directory.path, 'card.png'), { force: true });
  // Only comments and chats need the picture: who publishes nothing has not asked for one.
  if (publishedAt !== undefined)
    say('warning: no card.png: this machine has no font, or no renderer; report.md names card.svg instead');
  return 'card.svg';
}

interface Announced {
  readonly film: ReportFilm | undefined;
  readonly publishedAt: string | undefined;
  readonly say: (line: string) => void;
}

/** Writes what other services show: the comment for a pull request, the message for a chat, and their picture. */
async function writeMessages(
  directory: RunDirectory,
  summary: Summary,
  { film, publishedAt, say }: Announced,
): Promise<void> {
  const card = await writeCard(directory, summary, { publishedAt, say });
  const published = publishedAt === undefined ? {} : { folder: `${publishedAt.replace(/\/*$/, '')}/` };
  directory.write(
    'report.md',
    renderMarkdown(summary, { ...published, card, ...(film === undefined ? {} : { film }) }),
  );
  directory.write('chat.json', renderChat(summary, { ...published, picture: card }));
}

/**
 * Renders every report next to the summary and lists the run in the folder of runs that it lies in; returns the path of
 * `report.html`. `say` is told what could not be done and costs the report nothing; `publishedAt` is where the folder
 * can be read, for the links of `report.md`.
 */
export async function writeReports(
  directory: RunDirectory,
  summary: Summary,
  say: (line: string) => void,
  publishedAt?: string,
): Promise<string> {
  const { records } = directory.journal();
  const inside = collectPageLoads(summary, records, (trialId) => {
    const evidence = readEvidence(directory.trialDir(trialId));
    return { ...evidence, progress: () => visualProgress(evidence.raw.frames, evidence.frameImages) };
  });
  const { pageLoads } = inside;
  const { hars, warnings } = unpackHars(directory, shownTrials(summary, pageLoads));
  const changed = collectPageChanges(summary, records, (trialId) => readHar(directory.trialDir(trialId)));
  const filmed = await makeFilms(directory, summary, records);
  const failed = journeyFailures(directory, records);
  const shown = {
    ...summary,
    warnings: [
      ...summary.warnings,
      ...inside.warnings,
      ...warnings,
      ...changed.warnings,
      ...filmed.warnings,
      ...failed.warnings,
    ],
  };
  const { changes } = changed;
  const { films } = filmed;
  const { failures } = failed;
  const budgets = judgedBudgets(directory);
  writePages(
    directory,
    await renderReportPages(shown, { pageLoads, hars, changes, films, failures, budgets }),
  );
  directory.write('comparisons.csv', renderComparisonsCsv(summary));
  const users = renderAudienceCsv(summary);
  if (users !== undefined) directory.write('audience.csv', users);
  const slow = renderTailsCsv(summary);
  if (slow !== undefined) directory.write('tails.csv', slow);
  directory.writeParts('observations.csv', csvParts(summary));
  if (hasChunks(records)) directory.writeParts('chunks.csv', chunkParts(records));
  await writeMessages(directory, summary, { film: films[0], publishedAt, say });
  directory.write('junit.xml', renderJunit(summary));
  await listRun(directory, say);
  return join(directory.path, 'report.html');
}

/** @throws H2h3Error `bad-input` when no trial was recorded, or none in a form that can be read. */
export function requireRecords(directory: RunDirectory): void {
  const { records, warnings } = directory.journal();
  if (records.length > 0) return;
  const [first] = warnings;
  if (first !== undefined) {
    throw new H2h3Error('bad-input', `none of the trial records can be read: ${first}`, {
      next: 'If a newer h2h3 wrote them, use that one.',
    });
  }
  throw new H2h3Error('bad-input', `${directory.path} holds no trial record`, {
    next: isRunning(directory.path)
      ? `It is under way: follow it with \`npx h2h3 report ${directory.path} --serve\`.`
      : `Run it with \`npx h2h3 run --resume ${directory.path}\`.`,
  });
}
