import { leasesOf, trialsOfShard } from '../../core/model/lease.ts';
import { shardName } from '../../core/model/shard.ts';
import { check, type Blocker } from './check.ts';

/** A plan of which several hosts run parts can be parted, and each part has something to run. */
export const shards = check('shards', [], (plan) => {
  const { interims, shard, queue, repetitions } = plan;
  if (shard === undefined && queue === undefined) return [];
  const blockers: Blocker[] = [];
  if (interims !== undefined)
    blockers.push({
      code: 'usage',
      reason:
        'a plan that stops when it is decided is judged after whole blocks, and a host has only a part of each',
      next: 'Add --no-sequential, and say with --repetitions how many blocks are to run.',
    });
  if (shard !== undefined && trialsOfShard(plan, shard).length === 0)
    blockers.push({
      code: 'usage',
      reason: `shard ${shardName(shard)} has nothing to run`,
      context: {
        expected: `shards that leases go round for; this plan has ${leasesOf(plan).length} leases`,
        got: shardName(shard),
      },
      next: 'Part it into fewer shards, or give it more blocks with --repetitions.',
    });
  else if (shard !== undefined && repetitions < shard.count)
    blockers.push({
      code: 'usage',
      reason: `${repetitions} blocks over ${shard.count} shards: not every condition meets every host, so hosts and conditions are mixed up in part`,
      trialIds: [],
    });
  return blockers;
});
