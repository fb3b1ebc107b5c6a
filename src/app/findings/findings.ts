import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  isFindingsPage,
  readFindingEntries,
  renderFindingsPage,
} from '../../../reports/markdown/findings-page.ts';
import {
  renderFinding,
  renderFindingPicture,
  renderFindingValues,
} from '../../../reports/markdown/render-finding.ts';
import { machineWords } from '../../analyse/between-runs/environment-facts.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Finding } from '../../core/model/finding.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { readInput } from '../../core/system/read-input.ts';
import { requireWritable, writeWhole } from '../../core/system/write-whole.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { planFromRequest, readPlanRequest } from '../plan/plan-request.ts';
import { expectedMs } from '../plan/scale-times.ts';
import { planRequest } from '../plan/plan-request.ts';
import { exitCodeOfRun } from '../judge/exit-code-of-run.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { resume, run } from '../run/run.ts';
import { fetchedPlayer } from '../versions/fetched-player.ts';
import { wordsOfVersion } from '../version.ts';
import { findings } from './registry.ts';

export interface FindingsOptions {
  /** Some of them, by id. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Folder of the runs, one below it for each finding and day. Default: `results/findings`. */
  readonly out?: string | undefined;
  /** The page; entries that are not renewed stay as they are. Default: `docs/findings.md`. */
  readonly page?: string | undefined;
  /** The day by which runs are named. Default: now. */
  readonly now?: Date | undefined;
}

export interface RenewedFindings {
  readonly pagePath: string;
  /** Ids of those that are renewed in the page. */
  readonly renewed: readonly string[];
  /** Of the last that was not renewed, else 0. */
  readonly exitCode: ExitCode;
}

/** @throws H2h3Error `usage` for a name that is none */
export function findingsNamed(names: readonly string[] | undefined): readonly Finding[] {
  if (names === undefined) return findings;
  return names.map((name) => {
    const found = findings.find(({ id }) => id === name);
    if (found !== undefined) return found;
    const ids = findings.map(({ id }) => id);
    throw new H2h3Error('usage', `there is no finding "${name}"`, {
      context: { expected: ids.join(', '), got: name },
      next: didYouMean(name, ids, '`npx h2h3 findings --list` lists all of them.'),
    });
  });
}

/** Time that each should take, ms. */
export function findingTimes(those: readonly Finding[]): Promise<number[]> {
  return Promise.all(those.map(({ preset }) => expectedMs(planFromRequest(readPlanRequest(preset, {}), ''))));
}

/**
 * Measures findings one after the other and renews their entries in the page, each as soon as it is there. A run of today
 * that was interrupted goes on, one that is whole is not made again. What was not measured whole keeps its older entry and
 * says why. Arms that this machine cannot measure are named in the entry of the others.
 *
 * @throws H2h3Error `usage` for a page that is not ours, `interrupted` when asked to stop; the same command goes on
 */
export async function renewFindings(
  {
    only,
    out = join('results', 'findings'),
    page = join('docs', 'findings.md'),
    now = new Date(),
  }: FindingsOptions,
  context: AppContext,
): Promise<RenewedFindings> {
  const those = findingsNamed(only);
  readPage(page);
  requireWritable(page, '--page');
  const day = now.toISOString().slice(0, 10);
  const renewed: string[] = [];
  let exitCode: ExitCode = exitCodes.ok;
  for (const finding of those) {
    try {
      const directory = await measured(finding, join(out, `${finding.id}-${day}`), context);
      await renew(finding, directory, page, context);
      renewed.push(finding.id);
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted') throw thrown;
      context.progress.say(`${finding.id}: ${thrown.message}`);
      exitCode = exitCodeOf(thrown.code);
    }
  }
  return { pagePath: resolve(page), renewed, exitCode };
}

/** The text of the page; empty where there is none yet. @throws H2h3Error `usage` for a file that is not ours */
function readPage(page: string): string {
  if (!existsSync(page)) return '';
  const text = readInput(page).toString();
  if (isFindingsPage(text)) return text;
  throw new H2h3Error('usage', `${page} is not of h2h3 and would be written over`, {
    next: 'Name another file with --page.',
  });
}

/** The run of a finding, made or resumed where it is not whole. @throws H2h3Error as `run`; `process-failed` where too many trials failed */
async function measured({ id, preset }: Finding, folder: string, context: AppContext): Promise<RunDirectory> {
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
function unsupportedArms(records: readonly TrialRecord[]): ReadonlyMap<string, string> {
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

async function renew(
  finding: Finding,
  directory: RunDirectory,
  page: string,
  context: AppContext,
): Promise<void> {
  const summary = summaryOf(directory);
  const file = (ending: string): string => join(dirname(page), 'findings', `${finding.id}.${ending}`);
  const picture = file('svg');
  const values = finding.shows === 'comparisons' ? file('csv') : null;
  const entry = renderFinding(finding, summary, {
    // That measured, which need not be the one that writes the page.
    version: summary.environment === null ? 'of no known version' : wordsOfVersion(summary.environment.h2h3),
    machine: machineOf(summary),
    players: await playersOf(directory, context),
    unsupported: unsupportedArms(directory.journal().records),
    picture: relative(dirname(page), picture),
    values: values === null ? null : relative(dirname(page), values),
  });
  const entries = new Map(readFindingEntries(readPage(page))).set(finding.id, entry);
  mkdirSync(dirname(picture), { recursive: true });
  writeWhole(picture, renderFindingPicture(finding, summary));
  if (values !== null) writeWhole(values, renderFindingValues(summary));
  writeWhole(page, renderFindingsPage(findings, entries));
}

function machineOf({ environment }: Summary): string {
  if (environment === null) return 'not recorded';
  return `${machineWords(environment)}, load ${environment.machine.loadAverage1m.toFixed(1)} at the beginning`;
}

async function playersOf({ plan }: RunDirectory, context: AppContext): Promise<string[]> {
  const names = new Set(plan.arms.flatMap(({ factors: { player } }) => player ?? []));
  const setup = await setupContextOf(context);
  const players: string[] = [];
  for (const name of names) players.push((await fetchedPlayer(name, setup)).exact);
  return players;
}
