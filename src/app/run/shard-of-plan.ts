import { H2h3Error } from '../../model/errors.ts';
import { leasesOf, trialsOfShard } from '../../model/lease.ts';
import type { Plan } from '../../model/plan.ts';
import { shardName, shardSchema, type Shard } from '../../model/shard.ts';

/** `--shard 2/3`. @throws H2h3Error `usage` */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = shardSchema.safeParse({ index: Number(index), count: Number(count) });
  if (shard.success) return shard.data;
  throw new H2h3Error('usage', `--shard wants its number and that of all shards, such as 2/3, got "${text}"`);
}

/**
 * The plan with the part of it that is to run here.
 *
 * @throws H2h3Error `usage` for a plan that cannot be parted, or a part that is empty
 */
export function shardOfPlan(plan: Plan, shard: Shard): Plan {
  requirePartable(plan);
  if (trialsOfShard(plan, shard).length === 0) {
    const leases = leasesOf(plan).length;
    throw new H2h3Error('usage', `shard ${shardName(shard)} has nothing to run`, {
      context: {
        expected: `shards that leases go round for; this plan has ${leases} leases`,
        got: shardName(shard),
      },
      next: 'Part it into fewer shards, or give it more blocks with --repetitions.',
    });
  }
  return { ...plan, shard };
}

/** @throws H2h3Error `usage` for a plan that is judged while it runs: nobody has all of it then */
export function requirePartable({ looks }: Pick<Plan, 'looks'>): void {
  if (looks === undefined) return;
  throw new H2h3Error(
    'usage',
    'a plan that stops when it is decided is judged after whole blocks, and a host has only a part of each',
    { next: 'Add --no-sequential, and say with --repetitions how many blocks are to run.' },
  );
}

/** What a reader must know of how a plan was parted. */
export function shardWarnings({ repetitions, shard }: Pick<Plan, 'repetitions' | 'shard'>): string[] {
  if (shard === undefined || repetitions >= shard.count) return [];
  return [
    `${repetitions} blocks over ${shard.count} shards: not every condition meets every host, so hosts and conditions are mixed up in part`,
  ];
}
