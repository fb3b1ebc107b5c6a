import type { RawTrial, ServerLogEntry } from '../../src/model/raw-trial.ts';
import type { PreparedWorkload } from '../../src/model/workload.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { expectedLogEntries } from './expected-log-entries.ts';
import type { DoneMessage } from './worker-process.ts';

/** What network and machine counted by a moment. */
export type Counters = Readonly<Record<string, number>>;

export async function countersOf(path: Testbed | null): Promise<Counters> {
  return (await path?.network.counters()) ?? {};
}

/** Where the logs of server and proxies and the counters of the path stand before a trial. */
interface TrialStart {
  readonly mark: number;
  readonly upstreamMark: number;
  readonly counters: Counters;
}

export async function startOf(path: Testbed | null): Promise<TrialStart> {
  const mark = (await path?.front.mark()) ?? 0;
  const upstreamMark = (await path?.server.mark()) ?? 0;
  return { mark, upstreamMark, counters: await countersOf(path) };
}

/** What server and proxies wrote down of a trial. */
export async function logsOf(
  path: Testbed,
  raw: DoneMessage['raw'],
  workload: PreparedWorkload,
  { mark, upstreamMark, sinceEpochMs }: TrialStart & { readonly sinceEpochMs: number },
): Promise<Pick<RawTrial, 'serverLog' | 'upstreamLog' | 'ledger'>> {
  const expected = expectedLogEntries(raw, workload);
  // A response of an earlier trial that was cut off is logged late; its request is older than this trial.
  const isOwn = ({ startEpochMs }: ServerLogEntry): boolean => startEpochMs >= sinceEpochMs;
  const logged = await path.front.entriesSince(mark, expected);
  const upstream =
    path.proxies.length > 0 ? await path.server.entriesSince(upstreamMark, expected) : undefined;
  const ledger = workload.replay === undefined ? undefined : await path.server.ledgerSince?.(sinceEpochMs);
  return {
    serverLog: logged?.filter(isOwn) ?? null,
    ...(ledger === undefined ? {} : { ledger }),
    ...(upstream === undefined ? {} : { upstreamLog: upstream.filter(isOwn) }),
  };
}

/** By how much each counter grew. */
export function differences(before: Counters, after: Counters): Counters {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}
