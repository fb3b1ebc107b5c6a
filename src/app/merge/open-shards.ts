import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Environment } from '../../core/model/environment.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { shardName, type Shard } from '../../core/model/shard.ts';
import { realPath } from '../../store/path-inside.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { isRunning } from '../../store/run-lock.ts';

/** One shard's run as it is to be merged. */
export interface ShardRun {
  /** Folder as it was named. */
  readonly name: string;
  readonly directory: RunDirectory;
  readonly shard: Shard;
  /** Null for a shard that never began. */
  readonly environment: Environment | null;
  readonly records: readonly TrialRecord[];
  /** What reading its journal had to complain about. */
  readonly warnings: readonly string[];
  /** Its trials without a record. */
  readonly missing: readonly string[];
}

/**
 * Opens the shards of one plan, in their order.
 *
 * @throws H2h3Error `bad-input` or `usage` for folders that do not make one run
 */
export function openShards(names: readonly string[]): ShardRun[] {
  const shards = names.map(openShard).sort((a, b) => a.shard.index - b.shard.index);
  const [first] = shards;
  if (first === undefined)
    throw new H2h3Error('usage', 'nothing to merge', { next: 'Name the folders of the shards.' });
  for (const other of shards.slice(1)) requireSamePlan(first, other);
  for (const [index, other] of shards.entries()) {
    const before = shards[index - 1];
    if (before?.shard.index !== other.shard.index) continue;
    throw new H2h3Error(
      'bad-input',
      `${before.name} and ${other.name} are both shard ${shardName(other.shard)}`,
      {
        next: 'Name each shard once; two runs of one shard are two different measurements.',
      },
    );
  }
  return shards;
}

function openShard(name: string): ShardRun {
  if (!existsSync(name))
    throw new H2h3Error('bad-input', `there is no folder ${name}`, {
      context: { expected: 'the folder of a shard' },
      next: 'If its machine is lost, leave it out and add --partial: its trials are then kept as not run.',
    });
  const directory = openRunDirectory(name);
  const { plan } = directory;
  if (plan.shard === undefined)
    throw new H2h3Error('bad-input', `${name} is no shard: it has a plan of its own`, {
      next: 'Shards are made with `npx h2h3 run … --shard 1/3`. To compare whole runs: `npx h2h3 compare A B`.',
    });
  if (isRunning(directory.path))
    throw new H2h3Error('usage', `${name} is still being run`, { next: 'Wait for it to end.' });
  const { records, warnings } = directory.journal();
  const planned = new Set(plan.trials.map(({ trialId }) => trialId));
  const stray = records.find(({ trialId }) => !planned.has(trialId));
  if (stray !== undefined)
    throw new H2h3Error(
      'bad-input',
      `${name} holds the trial ${stray.trialId}, which does not belong to shard ${shardName(plan.shard)}`,
      { next: 'Its journal or its plan was changed; merge the folder as the run left it.' },
    );
  const there = new Set(records.map(({ trialId }) => trialId));
  const missing = [...planned].filter((trialId) => !there.has(trialId));
  return {
    name,
    directory,
    shard: plan.shard,
    records,
    warnings,
    missing,
    environment: directory.environment(),
  };
}

/** The command names folder and shard, so it differs where the plan does not. */
function comparable({ wholePlan }: RunDirectory): Partial<Plan> {
  return { ...wholePlan, command: '', shard: undefined };
}

function requireSamePlan(first: ShardRun, other: ShardRun): void {
  const a = comparable(first.directory);
  const b = comparable(other.directory);
  const counts = first.shard.count === other.shard.count;
  const differing = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (field) => !isDeepStrictEqual(a[field as keyof Plan], b[field as keyof Plan]),
  );
  if (counts && differing.length === 0) return;
  const what = counts
    ? `their plans differ in ${differing.join(', ')}`
    : `one is of ${first.shard.count} shards, the other of ${other.shard.count}`;
  throw new H2h3Error('bad-input', `${first.name} and ${other.name} are not shards of one plan: ${what}`, {
    next: 'Merge shards that were begun with the same preset or plan file, the same flags and the same version of h2h3.',
  });
}

/** Where a folder really lies, or will. */
const realPlace = (path: string): string => `${realPath(resolve(path))}${sep}`;

/** @throws H2h3Error `usage` where the merged run would lie in a shard, or the other way round */
export function requireApart(shards: readonly ShardRun[], out: string): void {
  const place = realPlace(out);
  for (const { name, directory } of shards) {
    const other = realPlace(directory.path);
    if (!place.startsWith(other) && !other.startsWith(place)) continue;
    throw new H2h3Error('usage', `${out} and the shard ${name} lie one in the other`, {
      next: 'Choose another folder with --out: shards are never written to.',
    });
  }
}
