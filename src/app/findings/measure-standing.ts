import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { readInput } from '../../core/system/read-input.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { exitCodeOfRun } from '../judge/exit-code-of-run.ts';
import { planFromRequest, planRequest, readPlanRequest } from '../plan/plan-request.ts';
import { expectedMs } from '../plan/scale-times.ts';
import { resume, run } from '../run/run.ts';

/** What is measured by a preset of its own from time to time, and has its place in a page. */
export interface Standing {
  /** As `--only` names it. */
  readonly id: string;
  readonly preset: string;
}

/** @param kind such as `finding`, of which `npx h2h3 findings --list` lists all. @throws H2h3Error `usage` for a name that is none */
export function standingNamed<Each extends Standing>(
  kind: string,
  all: readonly Each[],
  names: readonly string[] | undefined,
): readonly Each[] {
  if (names === undefined) return all;
  return names.map((name) => {
    const found = all.find(({ id }) => id === name);
    if (found !== undefined) return found;
    const ids = all.map(({ id }) => id);
    throw new H2h3Error('usage', `there is no ${kind} "${name}"`, {
      context: { expected: ids.join(', '), got: name },
      next: didYouMean(name, ids, `\`npx h2h3 ${kind}s --list\` lists all of them.`),
    });
  });
}

/** Time that each should take, ms. */
export function standingTimes(those: readonly Standing[]): Promise<number[]> {
  return Promise.all(those.map(({ preset }) => expectedMs(planFromRequest(readPlanRequest(preset, {}), ''))));
}

/** The text of a page; empty where there is none yet. @throws H2h3Error `usage` for a file that is not ours */
export function readOwnPage(page: string, isOwn: (text: string) => boolean): string {
  if (!existsSync(page)) return '';
  const text = readInput(page).toString();
  if (isOwn(text)) return text;
  throw new H2h3Error('usage', `${page} is not of h2h3 and would be written over`, {
    next: 'Name another file with --page.',
  });
}

export interface Renewed {
  /** Ids of those that are renewed in the page. */
  readonly renewed: readonly string[];
  /** Of the last that was not renewed, else 0. */
  readonly exitCode: ExitCode;
}

/**
 * Measures one after the other and renews each as soon as its run is there. A run of today that was interrupted goes on, one that is whole is
 * not made again. What was not measured whole says why and is not renewed.
 *
 * @throws H2h3Error `interrupted` when asked to stop; the same command goes on
 */
export async function renewEach<Each extends Standing>(
  those: readonly Each[],
  { out, day }: { readonly out: string; readonly day: Date },
  renew: (each: Each, directory: RunDirectory) => Promise<void>,
  context: AppContext,
): Promise<Renewed> {
  const renewed: string[] = [];
  let exitCode: ExitCode = exitCodes.ok;
  for (const each of those) {
    try {
      const folder = join(out, `${each.id}-${day.toISOString().slice(0, 10)}`);
      await renew(each, await measured(each, folder, context));
      renewed.push(each.id);
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
      context.progress.say(`${each.id}: ${thrown.message}`);
      exitCode = exitCodeOf(thrown.code);
    }
  }
  return { renewed, exitCode };
}

/** Its run, made or resumed where it is not whole. @throws H2h3Error as `run`; `process-failed` where too many trials failed */
async function measured(
  { id, preset }: Standing,
  folder: string,
  context: AppContext,
): Promise<RunDirectory> {
  const state = stateOf(folder);
  if (state === 'whole') context.progress.say(`${id}: measured today already, ${givenPath(resolve(folder))}`);
  else if (state === 'begun') await resume(folder, {}, context);
  else await run({ request: await planRequest({ source: preset }, context), out: folder }, context);
  const directory = openRunDirectory(folder);
  const { plan } = directory;
  const { records } = directory.journal();
  const unsupported = unsupportedArms(records);
  const measurable = plan.trials.filter(({ arm }) => !unsupported.has(arm));
  if (
    records.length < plan.trials.length ||
    measurable.length === 0 ||
    exitCodeOfRun({ ...plan, trials: measurable }, records) !== exitCodes.ok
  )
    throw new H2h3Error('process-failed', `not measured whole, so the page keeps what it says of ${id}`, {
      next: `See \`npx h2h3 report ${folder}\`. Without that folder it is measured again.`,
    });
  return directory;
}

/** Arms of which no trial can be had on this machine, with the reason. */
export function unsupportedArms(records: readonly TrialRecord[]): ReadonlyMap<string, string> {
  const byArm = Map.groupBy(records, ({ arm }) => arm);
  return new Map(
    [...byArm]
      .filter(([, those]) => those.every(({ status }) => status === 'unsupported'))
      .map(([arm, [first]]) => [arm, first?.reason ?? 'no reason given']),
  );
}

function stateOf(folder: string): 'none' | 'begun' | 'whole' {
  if (!existsSync(join(folder, 'plan.json'))) return 'none';
  const directory = openRunDirectory(folder);
  return directory.journal().records.length < directory.plan.trials.length ? 'begun' : 'whole';
}
