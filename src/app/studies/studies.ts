import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderStudiesPage } from '../../../reports/html/studies/render-studies-page.ts';
import { renderStudiesMarkdown } from '../../../reports/markdown/render-studies.ts';
import { experimentResult, type ExperimentRun } from '../../analyse/study-results.ts';
import { H2h3Error } from '../../model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../model/exit-codes.ts';
import type { Experiment, Studies } from '../../model/studies.ts';
import { experiments } from '../../plan/presets/experiments.ts';
import type { ScaleName } from '../../plan/presets/preset.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { writeWhole } from '../../system/write-whole.ts';
import type { AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
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
}

export interface StudiesPage {
  readonly studies: Studies;
  /** Path of `studies.html`; Markdown and JSON lie beside it. */
  readonly pagePath: string;
}

/** Names that were asked for. @throws H2h3Error `usage` for one that is none */
export function experimentsNamed(names: readonly string[] | undefined): readonly Experiment[] {
  if (names === undefined) return experiments;
  return names.map((name) => {
    const found = experiments.find(({ id, preset }) => id === name || preset === name);
    if (found !== undefined) return found;
    throw new H2h3Error('usage', `there is no experiment "${name}"`, {
      next: '`h2h3 studies` lists all of them.',
    });
  });
}

/**
 * Runs experiments one after the other and writes the page of all. What was finished is not run again, what was
 * interrupted goes on. One that this machine cannot run says why and does not keep the others.
 *
 * @throws H2h3Error `interrupted` when asked to stop; the same command goes on
 */
export async function runStudies(
  { scale = 'quick', only, out = join('results', 'studies') }: RunStudiesOptions,
  context: AppContext,
): Promise<StudiesPage & { readonly exitCode: ExitCode }> {
  let exitCode: ExitCode = exitCodes.ok;
  for (const { id, preset, needs } of experimentsNamed(only)) {
    if (needs !== undefined) {
      context.progress.say(`${id} ${preset}: unsupported: needs ${needs}`);
      continue;
    }
    const folder = join(out, `${preset}-${scale}`);
    if (isFinished(folder)) {
      context.progress.say(`${id} ${preset}: already run, ${givenPath(resolve(folder))}`);
      continue;
    }
    context.progress.say(`${id} ${preset}:`);
    try {
      const begun = existsSync(join(folder, 'plan.json'));
      const finished = begun
        ? await resume(folder, {}, context)
        : await run({ source: preset, flags: { scale }, out: folder }, context);
      if (finished.exitCode !== exitCodes.ok) exitCode = finished.exitCode;
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
      context.progress.say(`${id} ${preset}: ${thrown.message}`);
      exitCode = exitCodeOf(thrown.code);
    }
  }
  return { ...(await studiesOf(out)), exitCode };
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
  const runs = newestRuns(folder);
  const studies: Studies = {
    schemaVersion: 1,
    experiments: experiments.map((experiment) => experimentResult(experiment, runs.get(experiment.preset))),
  };
  const pagePath = resolve(folder, 'studies.html');
  writeWhole(pagePath, await renderStudiesPage(studies));
  writeWhole(resolve(folder, 'studies.md'), renderStudiesMarkdown(studies));
  writeWhole(resolve(folder, 'studies.json'), `${JSON.stringify(studies, null, 1)}\n`);
  return { studies, pagePath };
}

/** By preset. */
function newestRuns(folder: string): ReadonlyMap<string, ExperimentRun> {
  if (!existsSync(folder))
    throw new H2h3Error('bad-input', `there is no folder ${folder}`, {
      next: 'Run experiments first: `h2h3 studies --run`, or name a folder that holds their runs.',
    });
  const presets = new Set(experiments.map(({ preset }) => preset));
  const runs = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'plan.json')))
    .map((entry) => ({ name: entry.name, directory: openRunDirectory(join(folder, entry.name)) }))
    .filter(({ directory }) => presets.has(directory.plan.name) && directory.journal().records.length > 0)
    .map(({ name, directory }) => ({
      path: name,
      preset: directory.plan.name,
      summary: summaryOf(directory),
    }))
    .sort((a, b) => (a.summary.run.startedAt ?? '').localeCompare(b.summary.run.startedAt ?? ''));
  return new Map(runs.map(({ preset, ...one }) => [preset, one]));
}
