import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { audienceNetwork } from '../core/model/audience-network.ts';
import { audienceSeries } from '../core/model/audience-series.ts';
import { audienceSchema, type Audience } from '../core/model/audience.ts';
import { parseForeignJson } from '../core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../core/model/errors.ts';
import { firstScreenSchema } from '../core/model/first-screen.ts';
import { environmentSchema } from '../core/model/environment.ts';
import { audienceNames, mergedNames, nameTable } from '../core/model/names.ts';
import type { IndexedComparison, RunEntry } from '../core/model/run-index.ts';
import { indexedComparisonSchema, runIndexSchema } from '../core/model/run-index.ts';
import { comparisonSchema, summarySchema } from '../core/model/summary.ts';
import { sweepLeftovers } from './leftovers.ts';
import { openRunDirectory } from './run-directory.ts';
import { readInput } from '../core/system/read-input.ts';
import { isRunning } from './run-lock.ts';
import { writeWhole } from '../core/system/write-whole.ts';

/** What the list of runs remembers of each, besides the runs themselves. */
export const runIndexFile = 'h2h3-runs.json';

const armOnly = z.object({ arm: z.string() });
const primaryComparison = comparisonSchema
  .pick({ workload: true, workloadKind: true, client: true, network: true, server: true })
  .extend(comparisonSchema.pick({ metric: true, unit: true, higherIsBetter: true, primary: true }).shape)
  .extend(comparisonSchema.pick({ ratio: true, ratioInterval: true, margin: true, verdict: true }).shape)
  .extend({ baseline: armOnly, candidate: armOnly });

/** As much of a summary as the list shows; comparisons are looked at one by one, so that a bad one costs only itself. */
const listedSummary = summarySchema
  .pick({ schemaVersion: true, run: true, headline: true, caveats: true, trials: true, workloads: true })
  // An environment of another version costs the list its names, not the run.
  .extend({ firstScreen: firstScreenSchema.optional().catch(undefined) })
  .extend({ comparisons: z.array(z.unknown()), environment: environmentSchema.nullable().catch(null) })
  .extend({ audience: audienceSchema.optional().catch(undefined) });

function stampOf(folder: string): string {
  return ['plan.json', 'summary.json', 'journal.jsonl', 'report.html']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .map((stats) => (stats ? `${Math.round(stats.mtimeMs)}:${stats.size}` : '-'))
    .join(' ');
}

/** @param audience of the run: a comparison over it is one of this audience, and of no other */
function primaryOf(value: unknown, audience: Audience | undefined): IndexedComparison[] {
  const parsed = primaryComparison.safeParse(value);
  if (!parsed.success || !parsed.data.primary) return [];
  const { baseline, candidate, ...rest } = parsed.data;
  const isOfAudience = audience !== undefined && rest.network === audienceNetwork;
  const network = isOfAudience ? audienceSeries(audience).id : rest.network;
  return [indexedComparisonSchema.parse({ ...rest, network, arms: [baseline.arm, candidate.arm] })];
}

function blank(folder: string, name: string, stamp: string): RunEntry {
  return {
    folder,
    name,
    startedAt: null,
    spanMs: null,
    state: 'unfinished',
    headline: [],
    trials: null,
    primary: [],
    hasReport: false,
    stamp,
  };
}

/** The headline of a run and what limits it; of a run of before there were headlines, its first sentence behind what limits it. */
function listedHeadline({ headline, caveats, firstScreen }: z.infer<typeof listedSummary>): string[] {
  if (firstScreen !== undefined) {
    const { detail } = firstScreen;
    return [firstScreen.headline, ...(detail === '' ? [] : [detail]), ...caveats];
  }
  const [first, ...rest] = headline.filter((sentence) => !caveats.includes(sentence));
  if (first === undefined) return headline;
  return [[...caveats.filter((sentence) => headline.includes(sentence)), first].join(' '), ...rest];
}

function readSummary(file: string): z.infer<typeof listedSummary> {
  const parsed = listedSummary.safeParse(parseForeignJson(readInput(file, { followLink: false }).toString()));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new H2h3Error('bad-input', `summary.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function readRun(parent: string, folder: string, stamp: string): RunEntry {
  const path = join(parent, folder);
  const summaryFile = join(path, 'summary.json');
  const entry = blank(folder, folder, stamp);
  try {
    if (!existsSync(summaryFile)) return { ...entry, name: openRunDirectory(path).plan.name };
    const summary = readSummary(summaryFile);
    const { run, trials, comparisons, audience } = summary;
    return {
      ...entry,
      name: run.name,
      startedAt: run.startedAt,
      spanMs: run.spanMs,
      state: run.complete ? 'complete' : 'unfinished',
      headline: listedHeadline(summary),
      trials,
      ...(run.decidedAfterBlocks === undefined ? {} : { decidedAfterBlocks: run.decidedAfterBlocks }),
      primary: comparisons.flatMap((value) => primaryOf(value, audience)),
      hasReport: existsSync(join(path, 'report.html')),
      names: mergedNames([nameTable(summary), audience === undefined ? undefined : audienceNames(audience)]),
    };
  } catch (thrown) {
    return { ...entry, state: 'unreadable', problem: messageOf(thrown) };
  }
}

function remembered(parent: string): ReadonlyMap<string, RunEntry> {
  const file = join(parent, runIndexFile);
  if (!existsSync(file)) return new Map();
  try {
    const parsed = runIndexSchema.safeParse(parseForeignJson(readInput(file).toString()));
    return new Map(parsed.success ? parsed.data.runs.map((run) => [run.folder, run]) : []);
  } catch (thrown) {
    // A list that is cut short is made anew from the runs.
    if (thrown instanceof SyntaxError) return new Map();
    throw thrown;
  }
}

/** Whether a folder is one of a run; a link to one is not. */
export function isRunFolder(path: string): boolean {
  return (
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true && existsSync(join(path, 'plan.json'))
  );
}

/**
 * All runs of a folder such as `results`, newest first. A run whose files have not changed since the list was last
 * written is not read again.
 */
export function readRuns(parent: string): RunEntry[] {
  const known = remembered(parent);
  const entries = readdirSync(parent)
    .filter((folder) => isRunFolder(join(parent, folder)))
    .map((folder) => {
      const stamp = stampOf(join(parent, folder));
      const old = known.get(folder);
      const entry = old?.stamp === stamp ? old : readRun(parent, folder, stamp);
      return isRunning(join(parent, folder)) ? { ...entry, state: 'running' as const } : entry;
    });
  const time = ({ startedAt, folder }: RunEntry): string => startedAt ?? folder;
  return entries.sort((a, b) => (time(a) < time(b) ? 1 : -1));
}

/** Remembers the list and removes what killed processes left half written next to it; states that pass (`running`) are read again next time. */
export function writeRuns(parent: string, runs: readonly RunEntry[]): void {
  const kept = runs.filter(({ state }) => state !== 'running');
  sweepLeftovers(parent);
  writeWhole(join(parent, runIndexFile), `${JSON.stringify({ schemaVersion: 1, runs: kept })}\n`);
}
