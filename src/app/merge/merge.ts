import { wordsWithout } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { shardName } from '../../core/model/shard.ts';
import type { Summary } from '../../core/model/summary.ts';
import { writeMergedRun, type WrittenRun } from '../../store/merge-runs.ts';
import { readOutsidePlan } from '../../plan/outside-plan.ts';
import { rawPlan, type RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { requireTrusted, type AskTrust } from '../plan/trusted-plan.ts';
import { exitCodeOfRun } from '../judge/exit-code-of-run.ts';
import { writeReports, writeSummary } from '../report/publish.ts';
import { reasonOf } from '../../core/model/reasons.ts';
import { recordWithoutMeasurement } from '../run/finish-trial.ts';
import { mergedEnvironment } from './merged-environment.ts';
import { openShards, requireApart, type ShardRun } from './open-shards.ts';

export interface MergeOptions {
  /** Folder of the merged run: empty, or not there yet. */
  readonly out: string;
  /** Merge although trials have no record; they become `not-run`. Default: no. */
  readonly partial?: boolean | undefined;
  /** Asked before each thing that the plan would start, read or reach when it is resumed. Default: such a plan is refused. */
  readonly trust?: AskTrust | undefined;
}

/** One run made of several. */
export interface Merged {
  readonly directory: RunDirectory;
  readonly summary: Summary;
  /** Path of `report.html`. */
  readonly reportPath: string;
  /** Trials without a record in any shard. */
  readonly missing: number;
  readonly exitCode: ExitCode;
}

/**
 * Makes one run of the shards of a plan, and analyses and reports it. The shards are only read.
 *
 * @throws H2h3Error `bad-input` for shards that do not make one run, or whose plan does what `trust` does not allow; `usage` for a
 * folder that holds anything
 */
export async function merge(
  folders: readonly string[],
  options: MergeOptions,
  { progress }: Pick<AppContext, 'progress'>,
): Promise<Merged> {
  const shards = openShards(folders);
  await requireTrustedShards(shards, options.trust);
  progress.show('copying …');
  const { directory, leftOut, missing } = mergeShards(shards, options);
  for (const path of leftOut)
    progress.say(`left out ${givenPath(path)}: no run makes a link, a pipe or the like`);
  progress.show('analysing …');
  const summary = writeSummary(directory);
  const reportPath = await writeReports(directory, summary, (line) => progress.say(line));
  progress.clear();
  const exitCode = exitCodeOfRun(directory.plan, directory.journal().records);
  return { directory, summary, reportPath, missing, exitCode };
}

/** A step of its own, so that what the shards hold is not kept while the merged run is analysed. */
function mergeShards(
  shards: readonly ShardRun[],
  { out, partial = false }: MergeOptions,
): WrittenRun & Pick<Merged, 'missing'> {
  requireApart(shards, out);
  const missing = missingTrials(shards);
  if (!partial) requireWhole(shards, missing.length);
  const known = shards.flatMap(({ name, shard, environment }) =>
    environment === null ? [] : { name, shard, environment },
  );
  const written = writeMergedRun(out, {
    plan: mergedPlan(shards),
    environment: mergedEnvironment(known),
    parts: shards.map(({ directory: { path }, shard, ...part }) => ({
      ...part,
      path,
      name: `shard-${shard.index}-of-${shard.count}`,
    })),
    missing: missing.map(lostRecord),
  });
  return { ...written, missing: missing.length };
}

/** All shards have one plan, so each question is put once. */
async function requireTrustedShards(shards: readonly ShardRun[], trust: AskTrust | undefined): Promise<void> {
  for (const [index, { name, directory }] of shards.entries()) {
    const outside = readOutsidePlan(rawPlan(directory), name);
    if (index === 0) await requireTrusted(outside, name, trust);
  }
}

function missingTrials(shards: readonly ShardRun[]): PlannedTrial[] {
  const there = new Set(shards.flatMap(({ records }) => records.map(({ trialId }) => trialId)));
  return shards[0]?.directory.wholePlan.trials.filter(({ trialId }) => !there.has(trialId)) ?? [];
}

function lostRecord(trial: PlannedTrial): TrialRecord {
  return recordWithoutMeasurement(trial, {
    kind: 'not-measured',
    status: 'not-run',
    reason: reasonOf('no-record'),
    // Nothing began, so no time is true; this one, at least, is the same however often shards are merged.
    startedAt: new Date(0).toISOString(),
    durationMs: 0,
  });
}

/** @throws H2h3Error `bad-input` that names shards that are absent or were ended early */
function requireWhole(shards: readonly ShardRun[], missing: number): void {
  if (missing === 0) return;
  const count = shards[0]?.shard.count ?? 0;
  const there = new Set(shards.map(({ shard }) => shard.index));
  const absent = Array.from({ length: count }, (_, index) => index + 1)
    .filter((index) => !there.has(index))
    .map((index) => `shard ${shardName({ index, count })} is not among the folders`);
  const cut = shards.flatMap(({ name, missing: open, directory }) =>
    open.length === 0
      ? []
      : [
          `${name} is truncated: ${open.length} of its ${directory.plan.trials.length} trials have no record, such as ${open[0]}`,
        ],
  );
  throw new H2h3Error(
    'bad-input',
    `${missing} trials have no record\n  ${[...absent, ...cut].join('\n  ')}`,
    {
      next: 'Resume a shard that ended early (`npx h2h3 run --resume DIR`), or name all of them. Or leave out lost folders and add --partial: their trials are kept as not run.',
    },
  );
}

function mergedPlan(shards: readonly ShardRun[]): RunDirectory['wholePlan'] {
  const [first] = shards;
  if (first === undefined) throw new H2h3Error('internal', 'no shard is merged');
  const plan = first.directory.wholePlan;
  return {
    ...plan,
    shard: undefined,
    command: wordsWithout(plan.command, ['--shard', '--out', '--host']).join(' '),
  };
}
