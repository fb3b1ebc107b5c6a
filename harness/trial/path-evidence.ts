import { setTimeout as sleep } from 'node:timers/promises';
import { splitCmcd, withCmcd } from '../../src/core/model/cmcd.ts';
import type { ConnectionStart } from '../../src/core/model/connection-start.ts';
import type { LinkQueue } from '../../src/core/model/link-queue.ts';
import type { LinkFlow, RawTrial, ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import type { LinkCourse } from '../../src/core/model/schedule.ts';
import { fetchedChunks, type Session } from '../../src/core/model/session.ts';
import { sessionEndPath } from '../../src/core/model/session-end.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import type { ClientFactors } from '../clients/client-driver.ts';
import { cpuBetween, cpuSnapshot, type CpuSnapshot } from '../../src/core/system/processes/process-cpu.ts';
import { pollForEntry } from '../testbed/poll-for-entry.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { isFromClientOf } from './own-entries.ts';
import type { DoneMessage } from './worker-process.ts';
import { wireKeyOf } from '../../src/core/model/wire-address.ts';

/** What network and machine counted by a moment. */
export type Counters = Readonly<Record<string, number>>;

async function countersOf(testbed: Testbed | null): Promise<Counters> {
  return (await testbed?.network.counters()) ?? {};
}

/** What counts of the path over a trial: by how much, which flows crossed the client's link, and what it and its queues did. */
export interface PathCounts {
  readonly counters: Counters;
  readonly flows: readonly LinkFlow[] | null;
  /** Undefined where the link does not see it. */
  readonly starts: readonly ConnectionStart[] | undefined;
  /** Undefined where nothing asks for it. */
  readonly queue: LinkQueue | undefined;
  readonly course: LinkCourse | undefined;
  /** Undefined where the server is not ours. */
  readonly serverCpu: CpuSnapshot | undefined;
}

/** Of the server, or of the first proxy, and of all that it started. */
async function serverCpuOf(testbed: Testbed | null): Promise<CpuSnapshot | undefined> {
  const { pid = 0, cpuTimes } = testbed?.front ?? {};
  if (cpuTimes !== undefined) return cpuTimes();
  return pid === 0 ? undefined : cpuSnapshot(pid);
}

/** What is read as soon as the client has been measured. */
export interface CountsReading {
  /** Resolves when the path was read: what this machine does from then on is no part of the trial. */
  readonly path: Promise<unknown>;
  /** The same, with what the server has used, for which another machine is asked. */
  readonly counts: Promise<PathCounts>;
}

export function takeCounts(testbed: Testbed | null): CountsReading {
  const path = Promise.all([
    countersOf(testbed),
    testbed?.network.flows?.() ?? null,
    testbed?.network.connectionStarts?.(),
    testbed?.network.queue?.(),
    testbed?.network.course?.(),
  ]);
  const counts = Promise.all([path, serverCpuOf(testbed)]).then(
    ([[counters, flows, starts, queue, course], serverCpu]) => ({
      counters,
      flows,
      starts,
      queue,
      course,
      serverCpu,
    }),
  );
  return { path, counts };
}

/** The same as the trial's evidence has it, besides the counters. */
export function toEvidence({
  flows,
  starts,
  queue,
  course,
}: PathCounts): Pick<RawTrial, 'linkFlows' | 'connectionStarts' | 'linkQueue' | 'linkCourse'> {
  return {
    ...(flows === null ? {} : { linkFlows: [...flows] }),
    ...(starts === undefined ? {} : { connectionStarts: [...starts] }),
    ...(queue === undefined ? {} : { linkQueue: queue }),
    ...(course === undefined ? {} : { linkCourse: course }),
  };
}

/** Where the logs of server and proxies, the counters of the path and the server's CPU time stand before a trial. */
export interface TrialStart extends Pick<PathCounts, 'counters' | 'serverCpu'> {
  readonly mark: number;
  readonly upstreamMark: number;
}

/** Each read may be a round trip to another machine, so they go together. */
export async function startOf(testbed: Testbed | null): Promise<TrialStart> {
  const { front, server } = testbed ?? {};
  const marked = front?.mark() ?? Promise.resolve(0);
  const [mark, upstreamMark, counters, serverCpu] = await Promise.all([
    marked,
    server === front ? marked : (server?.mark() ?? 0),
    countersOf(testbed),
    serverCpuOf(testbed),
  ]);
  return { mark, upstreamMark, counters, serverCpu };
}

/** What its server's processes have used since a trial's start. */
export function serverCpuBetween(
  { serverCpu: before }: Pick<TrialStart, 'serverCpu'>,
  { serverCpu: after }: Pick<PathCounts, 'serverCpu'>,
): Pick<RawTrial, 'serverCpu'> {
  if (before === undefined || after === undefined) return {};
  return { serverCpu: cpuBetween(before, after, () => 'server') };
}

/** Which entries of the logs are a trial's. */
interface TrialSpan extends TrialStart {
  readonly sinceEpochMs: number;
  /** Of the client's link; null where they are not all known. */
  readonly flows: readonly LinkFlow[] | null;
}

/** For a server to write down what the client's end cut off, plus the way that its last packet has to go. */
const lastEntriesMs = 20;

/** What server and proxies wrote down of a trial. */
export async function logsOf(
  testbed: Testbed,
  raw: DoneMessage['raw'],
  workload: PreparedWorkload,
  { mark, upstreamMark, sinceEpochMs, flows }: TrialSpan,
): Promise<Pick<RawTrial, 'serverLog' | 'upstreamLog' | 'ledger' | 'app' | 'relayLog' | 'arrived'>> {
  const app = workload.app === undefined ? undefined : await testbed.server.appLedgerSince?.(sinceEpochMs);
  // A web socket is logged when it is over, which is when the browser is.
  const expected = [...expectedLogEntries(raw, workload), ...(app?.sockets ?? []).map(wireKeyOf)];
  // A response of an earlier trial that was cut off is logged late; its request is older than this trial.
  const isOwn = ({ startEpochMs, path: asked }: ServerLogEntry): boolean =>
    startEpochMs >= sinceEpochMs && asked !== sessionEndPath;
  const isOfClient = isFromClientOf(flows);
  if (raw.session === null) await sleep(testbed.facts.roundTripMs / 2 + lastEntriesMs);
  const [logged, upstream] = await Promise.all([
    testbed.front.entriesSince(mark, expected),
    testbed.proxies.length > 0 ? testbed.server.entriesSince(upstreamMark, expected) : undefined,
  ]);
  const relayLog = isRelayed(workload) ? await testbed.server.relayLogSince?.(sinceEpochMs) : undefined;
  const ledger = workload.replay === undefined ? undefined : await testbed.server.ledgerSince?.(sinceEpochMs);
  const arrived =
    workload.upload === undefined ? undefined : await testbed.server.arrivedSince?.(sinceEpochMs);
  return {
    serverLog: logged.filter(isOwn).filter(isOfClient).map(apartFromCmcd),
    ...(ledger === undefined ? {} : { ledger }),
    ...(app === undefined ? {} : { app }),
    ...(relayLog === undefined ? {} : { relayLog }),
    ...(arrived === undefined ? {} : { arrived }),
    ...(upstream === undefined ? {} : { upstreamLog: upstream.filter(isOwn).map(apartFromCmcd) }),
  };
}

const isRelayed = ({ roots }: PreparedWorkload): boolean =>
  roots.some(({ origin }) => origin?.kind === 'relay');

/** What a player told of itself is no part of what it asked for. */
function apartFromCmcd(entry: ServerLogEntry): ServerLogEntry {
  const { address, cmcd } = splitCmcd(entry.path);
  return cmcd === undefined ? entry : { ...entry, path: address, cmcd };
}

/** Resolves when the page of a session has told the server that it has ended, or when the trial is given up. */
export async function sessionEnded({ front }: Testbed, mark: number, signal: AbortSignal): Promise<void> {
  const { awaitEntry } = front;
  if (awaitEntry !== undefined) return awaitEntry(mark, sessionEndPath, signal);
  return pollForEntry(front, mark, sessionEndPath, signal);
}

/** How the client came to HTTP/3, where the arm says so, and what the resolver of the path was asked. */
export async function discoveryOf(
  testbed: Testbed | null,
  { discovery: way, family }: Pick<ClientFactors, 'discovery' | 'family'>,
  sinceEpochMs: number,
): Promise<Pick<RawTrial, 'discovery' | 'nameQuestions' | 'resolverPort'>> {
  if ((way ?? family) === undefined) return {};
  const { resolver } = testbed ?? {};
  const questions = (await resolver?.questionsSince(sinceEpochMs)) ?? [];
  return {
    ...(way === undefined ? {} : { discovery: { way, questions } }),
    ...(family === undefined ? {} : { nameQuestions: questions }),
    ...(resolver === undefined ? {} : { resolverPort: resolver.port }),
  };
}

/** By how much each counter grew. */
export function differences(before: Counters, after: Counters): Counters {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}

/** Media requests that the page reports as finished, as `host` + path with query: the access log must hold each. */
function expectedLogEntries(
  raw: Pick<RawTrial, 'session'>,
  workload: Pick<PreparedWorkload, 'loggedHosts'>,
): string[] {
  const session = raw.session;
  if (!session) return [];
  return urlsOf(session).flatMap((text) => {
    const url = URL.parse(text);
    return url && workload.loggedHosts.includes(url.hostname) ? [wireKeyOf(text)] : [];
  });
}

function urlsOf(session: Session): string[] {
  if (session.kind === 'video') return fetchedChunks(session).map(({ url, cmcd }) => withCmcd(url, cmcd));
  if (session.kind === 'upload') return session.uploads.map(({ url }) => url);
  // A session of messages is logged when it is over.
  if (session.kind === 'messages') return session.sentMs.length === 0 ? [] : [session.url];
  return [
    ...session.streams.flatMap(({ url, handover, resumption }) =>
      (handover !== undefined && handover.brokenBytes > 0) || resumption !== undefined ? [url, url] : [url],
    ),
    ...(session.contest?.requests ?? []).flatMap(({ url, protocol }) => (protocol === '' ? [] : [url])),
  ];
}
