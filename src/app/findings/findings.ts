import { mkdirSync } from 'node:fs';
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
import type { Finding } from '../../core/model/finding.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { requireWritable, writeWhole } from '../../core/system/write-whole.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { fetchedPlayer } from '../versions/fetched-player.ts';
import { wordsOfVersion } from '../version.ts';
import {
  readOwnPage,
  renewEach,
  standingNamed,
  standingTimes,
  unsupportedArms,
  type Renewed,
} from './measure-standing.ts';
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

export interface RenewedFindings extends Renewed {
  readonly pagePath: string;
}

/** @throws H2h3Error `usage` for a name that is none */
export function findingsNamed(names: readonly string[] | undefined): readonly Finding[] {
  return standingNamed('finding', findings, names);
}

/** Time that each should take, ms. */
export const findingTimes: (those: readonly Finding[]) => Promise<number[]> = standingTimes;

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
  readOwnPage(page, isFindingsPage);
  requireWritable(page, '--page');
  const renewed = await renewEach(
    those,
    { out, day: now },
    (finding, directory) => renew(finding, directory, page, context),
    context,
  );
  return { pagePath: resolve(page), ...renewed };
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
  const entries = new Map(readFindingEntries(readOwnPage(page, isFindingsPage))).set(finding.id, entry);
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
