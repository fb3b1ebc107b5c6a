import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderStudiesPage } from '../../../reports/html/studies/render-studies-page.ts';
import { renderStudiesMarkdown } from '../../../reports/markdown/render-studies.ts';
import { experimentResult, type ExperimentRun } from '../../analyse/study-results.ts';
import { studySigns } from '../../analyse/study-signs.ts';
import { H2h3Error } from '../../model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../model/exit-codes.ts';
import { studiesSchema, type Experiment, type Studies } from '../../model/studies.ts';
import type { ScaleName } from '../../plan/plan-file.ts';
import { experiments, presetNamed } from '../presets/registry.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { readInput } from '../../system/read-input.ts';
import { writeWhole } from '../../system/write-whole.ts';
import type { AppContext } from '../app-context.ts';
import { formatDuration } from '../duration.ts';
import { givenPath } from '../given-path.ts';
import { expectedStudyMs } from '../plan/scale-times.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { resume, run } from '../run/run.ts';

/** Which experiments to run, and where. */
export interface RunStudiesOptions {
  /** How much of each. Default: `quick`. */
  readonly scale?: ScaleName | undefined;
  /** Ids or presets (`Z1`, `liu2025-single`). Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Folder of the runs, one below it for each. Default: `results/studies`. */
  readonly out?: string | undefined;
  /** Stop after this time, ms; the same again goes on where it stopped. Default: until all are run. */
  readonly forMs?: number | undefined;
}

export interface StudiesPage {
  readonly studies: Studies;
  /** Path of `studies.html`; Markdown and JSON lie beside it. */
  readonly pagePath: string;
  /** Folders of runs that cannot be read, a line each: the page is made without them. */
  readonly passedOver: readonly string[];
}

/** Names that were asked for. @throws H2h3Error `usage` for one that is none */
export function experimentsNamed(names: readonly string[] | undefined): readonly Experiment[] {
  const all = experiments();
  if (names === undefined) return all;
  return names.map((name) => {
    const found = all.find(({ id, preset }) => id === name || preset === name);
    if (found !== undefined) return found;
    throw new H2h3Error('usage', `there is no experiment "${name}"`, {
      next: '`npx h2h3 studies` lists all of them.',
    });
  });
}

/** Time that each should take at this scale, ms; 0 for one that cannot be run. */
export function studyTimes(those: readonly Experiment[], scale: ScaleName): Promise<number[]> {
  return Promise.all(
    those.map(({ preset, needs }) =>
      needs === undefined ? expectedStudyMs(preset, scale) : Promise.resolve(0),
    ),
  );
}

/**
 * Runs experiments one after the other and writes the page of all. What was finished is not run again, what was
 * interrupted goes on, so that a night can be spread over evenings. One that this machine cannot run, or whose folder is
 * damaged, says why and does not keep the others.
 *
 * @throws H2h3Error `interrupted` when asked to stop; the same command goes on
 */
export async function runStudies(
  { scale = 'quick', only, out = join('results', 'studies'), forMs }: RunStudiesOptions,
  context: AppContext,
): Promise<StudiesPage & { readonly exitCode: ExitCode }> {
  requireOwnPage(out);
  const until = performance.now() + (forMs ?? Infinity);
  const timeIsOver = (): boolean => performance.now() >= until;
  const signal =
    forMs === undefined ? context.signal : AbortSignal.any([context.signal, AbortSignal.timeout(forMs)]);
  let exitCode: ExitCode = exitCodes.ok;
  for (const experiment of experimentsNamed(only)) {
    if (timeIsOver()) break;
    try {
      const ended = await runExperiment(experiment, { scale, out }, { ...context, signal });
      if (ended !== exitCodes.ok) exitCode = ended;
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error)) throw thrown;
      if (thrown.code === 'interrupted') {
        if (context.signal.aborted || !signal.aborted) throw thrown;
        break;
      }
      context.progress.say(`${experiment.id} ${experiment.preset}: ${thrown.message}`);
      exitCode = exitCodeOf(thrown.code);
    }
  }
  if (forMs !== undefined && timeIsOver())
    context.progress.say(`the ${formatDuration(forMs)} are over; the same command goes on`);
  // Where nothing could be run there is a page all the same, which says why.
  mkdirSync(out, { recursive: true });
  return { ...(await studiesOf(out)), exitCode };
}

/** @throws H2h3Error as `run` and `resume` */
async function runExperiment(
  { id, preset, needs }: Experiment,
  { scale, out }: { readonly scale: ScaleName; readonly out: string },
  context: AppContext,
): Promise<ExitCode> {
  if (needs !== undefined) {
    context.progress.say(`${id} ${preset}: unsupported: needs ${needs}`);
    return exitCodes.ok;
  }
  const folder = join(out, `${preset}-${scale}`);
  if (isFinished(folder)) {
    context.progress.say(`${id} ${preset}: already run, ${givenPath(resolve(folder))}`);
    return exitCodes.ok;
  }
  context.progress.say(`${id} ${preset}:`);
  const begun = existsSync(join(folder, 'plan.json'));
  const finished = begun
    ? await resume(folder, {}, context)
    : await run({ source: preset, flags: { scale }, out: folder }, context);
  return finished.exitCode;
}

/** The first is written first: it tells that the others are ours. */
const pageFiles = ['studies.json', 'studies.html', 'studies.md'] as const;

/** The page is written over one of ours only. @throws H2h3Error `usage` where files of somebody else have its names */
function requireOwnPage(folder: string): void {
  const there = pageFiles.filter((name) => existsSync(join(folder, name)));
  if (there.length === 0 || isStudies(join(folder, pageFiles[0]))) return;
  throw new H2h3Error('usage', `${join(folder, there[0] ?? '')} is not of h2h3 and would be written over`, {
    next: 'Name another folder with --out.',
  });
}

function isStudies(file: string): boolean {
  try {
    return studiesSchema.safeParse(JSON.parse(readInput(file).toString('utf8'))).success;
  } catch {
    return false; // not there, or none of ours
  }
}

function isFinished(folder: string): boolean {
  if (!existsSync(join(folder, 'plan.json'))) return false;
  const directory = openRunDirectory(folder);
  return directory.journal().records.length >= directory.plan.trials.length;
}

/**
 * The page of all experiments from the runs in the folder; of several of one experiment the newest counts.
 *
 * @throws H2h3Error `bad-input` when it is no folder, `storage` when the page cannot be written
 */
export async function studiesOf(folder: string): Promise<StudiesPage> {
  requireOwnPage(folder);
  const { runs, passedOver } = newestRuns(folder);
  const studies: Studies = {
    schemaVersion: 1,
    signs: studySigns(new Map([...runs].map(([preset, { summary }]) => [preset, summary]))),
    experiments: experiments().map((experiment) => experimentResult(experiment, runs.get(experiment.preset))),
  };
  const [json, pagePath, markdown] = pageFiles.map((name) => resolve(folder, name)) as [
    string,
    string,
    string,
  ];
  writeWhole(json, `${JSON.stringify(studies, null, 1)}\n`);
  writeWhole(pagePath, await renderStudiesPage(studies));
  writeWhole(markdown, renderStudiesMarkdown(studies));
  return { studies, pagePath, passedOver };
}

interface FoundRuns {
  /** By preset. */
  readonly runs: ReadonlyMap<string, ExperimentRun>;
  readonly passedOver: readonly string[];
}

function newestRuns(folder: string): FoundRuns {
  if (!existsSync(folder))
    throw new H2h3Error('bad-input', `there is no folder ${folder}`, {
      next: 'Run experiments first: `npx h2h3 studies --run`, or name a folder that holds their runs.',
    });
  const passedOver: string[] = [];
  const runs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'plan.json')))
    .flatMap(({ name }) => {
      try {
        const directory = openRunDirectory(join(folder, name));
        const { name: preset } = directory.plan;
        const known = presetNamed(preset);
        if (known?.experiment === undefined || directory.journal().records.length === 0) return [];
        const trialsPlanned = directory.plan.trials.length;
        // What was published is known to this version, whatever the run's own plan knew of it.
        const { published = directory.plan.published } = known.plan;
        const summary = summaryOf({ ...directory, plan: { ...directory.plan, published } });
        return [{ path: name, preset, trialsPlanned, summary }];
      } catch (thrown) {
        if (!(thrown instanceof H2h3Error) || thrown.code !== 'bad-input') throw thrown;
        passedOver.push(`passed over: ${thrown.message}`);
        return [];
      }
    })
    .sort((a, b) => (a.summary.run.startedAt ?? '').localeCompare(b.summary.run.startedAt ?? ''));
  return { runs: new Map(runs.map(({ preset, ...one }) => [preset, one])), passedOver };
}
