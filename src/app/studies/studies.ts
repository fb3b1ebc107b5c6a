import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Experiment } from '../../core/model/studies.ts';
import type { ScaleName } from '../../plan/plan-file.ts';
import { experiments } from '../presets/registry.ts';
import { isWholeRun, openRunDirectory } from '../../store/run-directory.ts';
import { lockRunDirectory } from '../../store/run-lock.ts';
import { makeFolder } from '../../core/system/storage-error.ts';
import type { AppContext } from '../app-context.ts';
import { formatDuration } from '../duration.ts';
import { givenPath } from '../given-path.ts';
import { expectedStudyMs } from '../plan/scale-times.ts';
import { planRequest } from '../plan/plan-request.ts';
import { resume, run } from '../run/run.ts';
import { gitRevision } from '../version.ts';
import { requireOwnPage, studiesOf, type PageOptions, type StudiesPage } from './studies-page.ts';
import { waitForQuiet } from './wait-for-quiet.ts';

/** Which experiments to run, and where. */
export interface RunStudiesOptions extends Partial<PageOptions> {
  /** How much of each. Default: `quick`. */
  readonly scale?: ScaleName | undefined;
  /** Ids or presets (`Z1`, `liu2025-single`). Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Folder of the runs, one below it for each. Default: `results/studies`. */
  readonly out?: string;
  /** Whether what another revision ran is run again, in a folder of its own. Default: it is kept, and marked. */
  readonly again?: boolean | undefined;
  /** How long each run waits for a quiet machine, ms. Default: 10 minutes. */
  readonly quietMs?: number | undefined;
  /** Machines on which servers and clients start, by ssh; their runs have folders of their own. Default: this one. */
  readonly serverHost?: string | undefined;
  readonly clientHost?: string | undefined;
  /** Stop after this time, ms; the same again goes on where it stopped. Default: until all are run. */
  readonly forMs?: number | undefined;
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
 * @throws H2h3Error `interrupted` when asked to stop; the same command goes on. `usage` where another process runs studies in
 * this folder
 */
export async function runStudies(
  { out = join('results', 'studies'), ...options }: RunStudiesOptions,
  context: AppContext,
): Promise<StudiesPage & { readonly exitCode: ExitCode }> {
  const chosen = experimentsNamed(options.only);
  requireOwnPage(out);
  // Two at once would measure each other.
  makeFolder(out);
  const next = 'Wait for it, or stop it with Ctrl-C; the same command goes on.';
  const release = lockRunDirectory(out, process.pid, next);
  try {
    const exitCode = await runAll(chosen, { ...options, out }, context);
    // Where nothing could be run there is a page all the same, which says why.
    return { ...(await studiesOf({ out, keep: options.keep, kept: options.kept })), exitCode };
  } finally {
    release();
  }
}

async function runAll(
  chosen: readonly Experiment[],
  { scale = 'quick', forMs, ...options }: RunStudiesOptions & { readonly out: string },
  context: AppContext,
): Promise<ExitCode> {
  const until = performance.now() + (forMs ?? Infinity);
  const timeIsOver = (): boolean => performance.now() >= until;
  const signal =
    forMs === undefined ? context.signal : AbortSignal.any([context.signal, AbortSignal.timeout(forMs)]);
  let exitCode: ExitCode = exitCodes.ok;
  for (const experiment of chosen) {
    if (timeIsOver()) break;
    try {
      const ended = await runExperiment(experiment, { ...options, scale }, { ...context, signal });
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
  return exitCode;
}

interface ExperimentOptions extends Pick<
  RunStudiesOptions,
  'again' | 'quietMs' | 'serverHost' | 'clientHost'
> {
  readonly scale: ScaleName;
  readonly out: string;
}

const usualQuietMs = 10 * 60_000;
const resumedBy = 'The same command goes on.';

/** @throws H2h3Error as `run` and `resume` */
async function runExperiment(
  { id, preset, needs }: Experiment,
  { scale, out, again = false, quietMs = usualQuietMs, serverHost, clientHost }: ExperimentOptions,
  context: AppContext,
): Promise<ExitCode> {
  const say = (line: string): void => context.progress.say(`${id} ${preset}: ${line}`);
  if (needs !== undefined) {
    say(`unsupported: needs ${needs}`);
    return exitCodes.ok;
  }
  const own = gitRevision(context.projectDir);
  const place = `${placeWords('with', serverHost)}${placeWords('from', clientHost)}`;
  const usual = join(out, `${preset}-${scale}${place}`);
  const other = otherRevision(usual, own);
  // Two revisions in one run would be compared with each other: what is there is kept as it is.
  const folder = other !== undefined && (again || !isWholeRun(usual)) ? `${usual}-${own}` : usual;
  if (isWholeRun(folder)) {
    say(
      `already run${other !== undefined && folder === usual ? ` by revision ${other}; --again runs it by this one` : ''}, ${givenPath(resolve(folder))}`,
    );
    return exitCodes.ok;
  }
  if (folder !== usual) say(`revision ${other} began it: kept, and begun anew by ${own}`);
  const begun = existsSync(join(folder, 'plan.json'));
  say(begun ? 'goes on' : 'begins');
  await waitForQuiet({ limitMs: quietMs, say, signal: context.signal });
  const flags = {
    scale,
    ...(serverHost === undefined ? {} : { serverHost }),
    ...(clientHost === undefined ? {} : { clientHost }),
  };
  const finished = begun
    ? await resume(folder, { resumedBy }, context)
    : await run(
        { request: await planRequest({ source: preset, flags }, context), out: folder, resumedBy },
        context,
      );
  return finished.exitCode;
}

/** What a folder's name has of another machine. */
const placeWords = (word: 'with' | 'from', host: string | undefined): string =>
  host === undefined ? '' : `-${word}-${host.replaceAll(/[^\w.-]+/g, '-')}`;

/** The revision that began the run in a folder, where it is another than this; undefined where either is not known. */
function otherRevision(folder: string, own: string | null): string | undefined {
  if (own === null || !existsSync(join(folder, 'plan.json'))) return undefined;
  const known = openRunDirectory(folder).environment()?.h2h3.gitRevision ?? undefined;
  return known === own ? undefined : known;
}
