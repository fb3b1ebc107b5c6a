import { H2h3Error } from '../../core/model/errors.ts';
import type { AppContext } from '../app-context.ts';
import { givenAddress } from '../plan/given-address.ts';
import { isExpired, isUsable } from './announcement.ts';
import { openLeaseQueues, type LeaseCounts, type LeaseQueues } from './lease-queue.ts';

/** What a queue has of one run. */
export interface QueuedRun {
  readonly runId: string;
  /** Of the coordinator's h2h3; null for what cannot be used. */
  readonly version: string | null;
  /** When its coordinator spoke of it last; null for what cannot be used. */
  readonly renewedAt: string | null;
  /** `running`: it has a coordinator; `waiting`: its coordinator is gone; `expired`: for more than a day; `unusable`. */
  readonly state: 'running' | 'waiting' | 'expired' | 'unusable';
  /** Why it cannot be used. */
  readonly reason?: string;
  readonly leases: LeaseCounts | null;
}

export interface QueueOptions {
  /** Address of Redis or Valkey; secrets are named in it, as `${NAME}` or `${file:PATH}`. */
  readonly workers: string;
}

async function atQueue<T>(
  { workers }: QueueOptions,
  { environment, progress }: AppContext,
  act: (queues: LeaseQueues) => Promise<T>,
): Promise<T> {
  const like = 'redis://worker:${QUEUE_PASSWORD}@lab:6379';
  const address = givenAddress('the address of the queue', workers, { environment, like });
  const queues = await openLeaseQueues(address, (line) => progress.say(line));
  try {
    return await act(queues);
  } finally {
    await queues.close();
  }
}

/** The runs that are announced in a queue. @throws H2h3Error `usage`, `unsupported` as a worker does */
export function listQueuedRuns(options: QueueOptions, context: AppContext): Promise<QueuedRun[]> {
  return atQueue(options, context, runsOf);
}

async function runsOf(queues: LeaseQueues): Promise<QueuedRun[]> {
  const runs: QueuedRun[] = [];
  for (const announcement of await queues.announcements()) {
    const { runId } = announcement;
    if (!isUsable(announcement)) {
      const { reason } = announcement;
      runs.push({ runId, version: null, renewedAt: null, state: 'unusable', reason, leases: null });
      continue;
    }
    const { version, renewedEpochMs } = announcement;
    const isCoordinated = await queues.isHeld(`coordinator:${runId}`);
    const isOld = isExpired(announcement, Date.now());
    const state = isCoordinated ? 'running' : isOld ? 'expired' : 'waiting';
    const run = { runId, version, renewedAt: new Date(renewedEpochMs).toISOString() };
    runs.push({ ...run, ...(await leasesOrReason(queues, runId, state)) });
  }
  return runs;
}

/** Something else in the place of one run's queue hides no other run. */
async function leasesOrReason(
  queues: LeaseQueues,
  runId: string,
  state: QueuedRun['state'],
): Promise<Pick<QueuedRun, 'state' | 'leases' | 'reason'>> {
  try {
    return { state, leases: await queues.leaseCounts(runId) };
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'usage') throw thrown;
    return { state: 'unusable', reason: thrown.message, leases: null };
  }
}

/**
 * Takes a run out of a queue: workers of it end, no other begins. What they measured stays in the results.
 *
 * @param name of the run, or how it begins
 * @throws H2h3Error `usage` for a name that none, or more than one, has, and for a run whose coordinator is at work
 */
export function withdrawQueuedRun(
  name: string,
  options: QueueOptions,
  context: AppContext,
): Promise<QueuedRun> {
  return atQueue(options, context, async (queues) => {
    const runs = await runsOf(queues);
    const named = runs.filter(({ runId }) => runId === name || (name !== '' && runId.startsWith(name)));
    const run = named.find(({ runId }) => runId === name) ?? named[0];
    if (run === undefined || (named.length > 1 && run.runId !== name))
      throw new H2h3Error(
        'usage',
        `the queue has ${run === undefined ? 'no' : 'more than one'} run "${name}"`,
        {
          context: { expected: runs.map(({ runId }) => runId).join(', ') || 'nothing: no run is announced' },
        },
      );
    if (run.state === 'running')
      throw new H2h3Error('usage', `the coordinator of the run ${run.runId} is at work`, {
        next: 'End it first (Ctrl-C); one that was killed lets go after 10 s.',
      });
    await queues.remove(run.runId);
    return run;
  });
}
