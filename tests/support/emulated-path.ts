import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { TestContext } from 'node:test';
import { text } from 'node:stream/consumers';
import { judgeCounters } from '../../src/analyse/validity/counter-rules.ts';
import { loggedFlowSchema, packetKinds } from '../../harness/network/connection-flights.ts';
import { ensureEmulatorPrograms } from '../../harness/network/emulator-programs.ts';
import type { RunningNetwork } from '../../harness/network/network.ts';
import { probe, receive, udpReceiptSchema, udpSendingSchema } from '../../harness/network/probe-path.ts';
import { shapedNetwork } from '../../harness/network/shaped-network.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { differences } from '../../harness/trial/path-evidence.ts';
import { openStartSignal } from '../../harness/trial/start-signal.ts';
import { networkSpecSchema, type NetworkSpecInput } from '../../src/core/model/network-spec.ts';
import type { PathCheckDepth } from '../../src/core/model/path-check-depth.ts';
import type { LinkCourse } from '../../src/core/model/schedule.ts';
import { projectDir } from './cli.ts';
import { namespaceLack } from './namespaces.ts';
import { tempFolder } from './temp-folder.ts';
import { markedEnvironment } from './test-scope.ts';

const udpPort = 10;

/** Those that were started, each of which has names of its own. */
let paths = 0;

/** A path of the project's own emulator that is up, and the program that sends over it. */
export interface EmulatedPath {
  readonly network: RunningNetwork;
  readonly program: string;
}

/**
 * A path of these figures; null where there is none here, with the test skipped.
 *
 * @param depth of its check, whose outcome is the test's to judge; default: nothing is checked
 */
export async function emulatedPath(
  t: TestContext,
  figures: Pick<NetworkSpecInput, 'up' | 'down' | 'duplex'>,
  depth?: PathCheckDepth,
): Promise<EmulatedPath | null> {
  const reason = await namespaceLack();
  if (reason !== null) {
    t.skip(reason);
    return null;
  }
  const environment = { ...process.env, H2H3_PATH_BACKEND: 'emulator' };
  const context = await createSetupContext({ projectDir, environment });
  const { probe: program } = await ensureEmulatorPrograms(context);
  const spec = networkSpecSchema.parse({ id: 'tried', title: 'A path', source: 'a test', ...figures });
  const network = await shapedNetwork(spec, context).start({
    runId: `tried-${++paths}`,
    workDir: tempFolder(t),
    hosts: [],
    tcpCongestionControl: 'reno',
    environment: markedEnvironment(),
    cpus: null,
    ...(depth === undefined ? { check: 'left-out' } : { check: 'reported', checkDepth: depth }),
    schedulesFromStart: true,
  });
  t.after(() => network.stop());
  return { network, program };
}

/** Begins schedules, counts and the record of packets. */
export async function begin({ network }: EmulatedPath): Promise<void> {
  const signal = await openStartSignal(network.startSignal(1));
  signal.send();
  signal.close();
}

export interface Sending {
  readonly mbps: number;
  readonly seconds: number;
  /** Default: 500. */
  readonly ipBytes?: number;
}

/** Packets that crossed, of those that were sent evenly at this rate for so long. */
export async function send(
  { network, program }: EmulatedPath,
  way: 'up' | 'down',
  { mbps, seconds, ipBytes = 500 }: Sending,
) {
  const { near, far } = network.ends ?? assert.fail('a path without ends');
  const [from, to] = way === 'up' ? [near, far] : [far, near];
  const address = way === 'up' ? network.serverAddress : clientAddressOf(network);
  const count = Math.round((mbps * 1e6 * seconds) / (ipBytes * 8));
  const words = ['send-udp', address, udpPort, ipBytes, mbps, count];
  return receive({
    place: to,
    program,
    words: ['receive-udp', udpPort, 1500],
    schema: udpReceiptSchema,
    send: () => probe(from, program, words, udpSendingSchema),
  });
}

/** Of the client's end: the server's is the second of the link's addresses, this the first. */
function clientAddressOf({ serverAddress }: RunningNetwork): string {
  return serverAddress.replace(/\.2$/, '.1');
}

/** When a packet came to the link and left it, ms since `begin`; null: it never left. */
export interface RecordedPacket {
  readonly cameMs: number;
  readonly leftMs: number | null;
  readonly ipBytes: number;
}

/** What the emulator wrote down of the first packets that went down, in the order in which they came. */
export async function recordOf({ network }: EmulatedPath): Promise<readonly RecordedPacket[]> {
  const { socketPath } = network.startSignal(1) ?? assert.fail('a path without a control socket');
  const socket = createConnection(socketPath);
  await once(socket, 'connect');
  socket.end('flights\n');
  const flows = loggedFlowSchema.array().parse(JSON.parse(await text(socket)));
  return flows
    .flatMap(({ packets }) => packets)
    .filter(([, , , kind]) => (kind & packetKinds.up) === 0)
    .map(([cameUs, leftUs, ipBytes]) => ({
      cameMs: cameUs / 1000,
      leftMs: leftUs === null ? null : leftUs / 1000,
      ipBytes,
    }));
}

/** A sender or an emulator that pauses for longer has lost its CPU: what was to be even was not. */
const maxPauseMs = 20;
const maxTries = 5;

/** By the link's own record, why what came evenly until then tells nothing of its figures; null where it does. */
async function disturbanceOf(
  path: EmulatedPath,
  before: Readonly<Record<string, number>>,
  untilMs: number,
): Promise<string | null> {
  const { findings } = judgeCounters(differences(before, await path.network.counters()));
  // Single packets may leave late: where it lost its CPU, packets come to it late, too.
  const lost = findings.find(({ reasonCode }) => reasonCode === 'packets-lost');
  if (lost !== undefined) return lost.reason;
  const recorded = await recordOf(path);
  const came = recorded.map(({ cameMs }) => cameMs).filter((ms) => ms < untilMs);
  came.sort((a, b) => a - b);
  const pauseMs = Math.max(0, ...came.slice(1).map((ms, index) => ms - (came[index] ?? ms)));
  if (pauseMs > maxPauseMs) return `nothing came to the link for ${pauseMs.toFixed(1)} ms`;
  const course = await path.network.course?.();
  if (course === undefined) return null;
  const { up, down, binMs } = course;
  return unevenness(down, binMs, untilMs) ?? unevenness(up, binMs, untilMs);
}

/** Why what came in one direction was not even; null where it was, or where nothing was sent in it. */
function unevenness(bins: LinkCourse['down'], binMs: number, untilMs: number): string | null {
  const counts = bins.slice(0, untilMs / binMs).map(([packets]) => packets);
  // Those at the ends are not sent in for all of their time.
  const first = counts.findIndex((count) => count > 0) + 1;
  const sentIn = counts.slice(
    first,
    Math.max(
      first,
      counts.findLastIndex((count) => count > 0),
    ),
  );
  const usual = sentIn.toSorted((a, b) => a - b)[Math.floor(sentIn.length / 2)] ?? 0;
  const least = Math.min(usual, ...sentIn);
  return least < usual * (1 - maxPauseMs / binMs)
    ? `${least} packets came to the link in ${binMs} ms, usually ${usual}`
    : null;
}

/**
 * What is measured of packets that are sent evenly over a path, in a try in which the machine took the CPU from neither sender nor
 * emulator: others are made again. Null where there was none, with the test skipped.
 *
 * @param untilMs of the time since `begin`, what is measured; default: all of it
 */
export async function undisturbed<Measured>(
  t: TestContext,
  path: EmulatedPath,
  measure: () => Promise<Measured>,
  untilMs = Infinity,
): Promise<Measured | null> {
  let reason = '';
  for (let tries = 0; tries < maxTries; tries++) {
    const before = await path.network.counters();
    const measured = await measure();
    const found = await disturbanceOf(path, before, untilMs);
    if (found === null) return measured;
    reason = found;
    t.diagnostic(`measured again: ${reason}`);
  }
  t.skip(`the machine was late in every try: ${reason}`);
  return null;
}
