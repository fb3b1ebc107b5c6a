import { mkdir } from 'node:fs/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { chunkDelayIn, heldFolder } from '../../src/core/model/fault.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import type { ClientDriver, ClientRecord, ClientSession, Load } from '../clients/client-driver.ts';
import { unreadablePage, within } from '../clients/browsers/deadline.ts';
import type { ProbeSet } from '../probes/probe-set.ts';
import type { TrialOrder } from './worker-protocol.ts';
import type { StepClock } from './step-clock.ts';
import { allowedCpus } from '../../src/core/system/processes/cpu-affinity.ts';
import { untilIdle } from '../../src/core/system/processes/idle.ts';
import { treeCpuReader } from '../../src/core/system/processes/tree-cpu.ts';
import { udpBlockedAfterMs } from '../../src/core/factors/connecting.ts';
import { blockUdp, type UdpBlock } from './block-udp.ts';
import {
  fail,
  measuredTrial,
  emptyTrialState,
  type TrialState,
  type MeasuredTrial,
} from './measured-trial.ts';
import { clientFamilies } from './client-families.ts';
import { openStartSignal, type StartSignal } from './start-signal.ts';
import { readTransports, transportCounts } from './transport-counts.ts';
import { visitBefore } from './visit-before.ts';
import { launchOptions, logsFolder } from './launch-options.ts';
import { entryUrl } from './workload-address.ts';

export interface TrialParts {
  readonly driver: ClientDriver;
  readonly probes: ProbeSet;
  /** Made here, removed by the caller. */
  readonly profileDir: string;
  /** Probes have their temporary files below it. */
  readonly probesDir: string;
  /** Resolves when the trial's turn has come. Until then its client is made ready while the trial before is evaluated. */
  readonly begun: Promise<void>;
  /** Resolves when the page of a session has told the server that it is over. */
  readonly ended: Promise<void>;
  readonly clock: StepClock;
  /** Confines this process and the client to their CPUs; resolves with false when not all of it was confined. */
  readonly confine: () => Promise<boolean>;
  /** Holds the client below `rootPid` to its share of a CPU, if it has one. @throws H2h3Error where it cannot have it */
  readonly hold: (rootPid: number) => Promise<void>;
  /** Called when what was to be measured is over and the client was read out; others may use the machine now. */
  readonly measured: () => void;
}

/** Room for a browser to end recording after its workload's deadline; more than one answer of a page may take. */
const stopLimitMs = 20_000;

/**
 * A browser that was just started still works for itself after its first window, which would otherwise be in the load
 * time: up to twice the time of a small page.
 */
const settled = { intervalMs: 40, intervals: 1, limitMs: 1000 } as const;

/** One measurement in a fresh browser. Never throws: what went wrong is the outcome. */
export async function runTrial(order: TrialOrder, given: TrialParts): Promise<MeasuredTrial> {
  const gathered = emptyTrialState(order);
  const turn = given.begun.then(() => {
    gathered.startedAt = new Date().toISOString();
    gathered.turnMs = performance.now();
  });
  const parts = { ...given, begun: turn };
  try {
    const client = await clientAtItsTurn(order, parts, gathered);
    const { signal, udpBlock } = await readyToLoad(client, order, parts, gathered);
    const transports = readTransports();
    const startMs = performance.now();
    try {
      signal.send();
      gathered.signalEpochMs = Date.now();
      udpBlock?.begin();
      const loaded = await client.load(loadOf(order, gathered, parts.ended));
      gathered.restEpochMs = Date.now();
      gathered.session = loaded.session;
      gathered.warnings.push(...loaded.warnings);
    } catch (thrown) {
      fail(gathered, thrown);
    }
    gathered.measuredMs = performance.now() - startMs;
    gathered.transports = transports === null ? null : transportCounts(transports);
    const { live } = order.workload;
    if (transports === null && live !== undefined)
      gathered.clientFamilies = clientFamilies(client.rootPid, live);
    if ((await udpBlock?.end()) === false)
      gathered.warnings.push(`udp=${order.factors.udp}: the load was over before UDP was blocked`);
    parts.clock.end('load, and quiet time after it');
    await readOut(client, parts, gathered);
    signal.close();
  } catch (thrown) {
    fail(gathered, thrown);
  }
  // A client that could not be made ready is told of in its trial's turn.
  await turn;
  await gathered.client?.close();
  parts.clock.end('end the client');
  return measuredTrial(order, gathered, performance.now() - gathered.turnMs);
}

/** The client, at rest on its CPUs, when its trial's turn has come. */
async function clientAtItsTurn(
  order: TrialOrder,
  parts: TrialParts,
  gathered: TrialState,
): Promise<ClientSession> {
  await mkdir(parts.profileDir, { recursive: true });
  if (parts.probes.launch.logs.length > 0) await mkdir(logsFolder(parts.profileDir), { recursive: true });
  // It loads from the server, so it belongs to the trial's own time.
  if (order.workload.view === 'repeat') await visitFirst(order, parts, gathered);
  const client = await startClient(order, parts, gathered);
  await awaitTurn(client, parts, gathered);
  return client;
}

/** Probes, CPUs and path are as the trial wants them: what comes next is measured. */
async function readyToLoad(
  client: ClientSession,
  order: TrialOrder,
  parts: TrialParts,
  gathered: TrialState,
): Promise<{ readonly signal: StartSignal; readonly udpBlock: UdpBlock | undefined }> {
  await mkdir(order.trialDir, { recursive: true });
  const signal = await openStartSignal(order.startSignal);
  await setUpProbes(client, order, parts, gathered);
  await parts.hold(client.rootPid);
  if (!(await parts.confine()))
    gathered.warnings.push('not every process of the client could be kept to the CPUs of the client');
  if (order.clientCpus !== undefined) gathered.clientCpus = allowedCpus(client.rootPid);
  const udpBlock = await blockedUdp(order);
  await parts.probes.start();
  parts.clock.end('probes and CPUs');
  return { signal, udpBlock };
}

/** What was measured is over, and all that the client knows of it is here. */
async function readOut(
  client: ClientSession,
  { probes, clock, measured }: TrialParts,
  gathered: TrialState,
): Promise<void> {
  await probes.stop();
  gathered.recording = await recordingOf(client);
  measured();
  clock.end('read the client out');
  const { disturbance } = gathered.recording;
  if (disturbance !== undefined) fail(gathered, new H2h3Error('process-failed', disturbance));
}

/** No deadline of the load: that was kept, and a time that cannot be read is not taken for the longest one. */
async function recordingOf(client: ClientSession): Promise<ClientRecord> {
  try {
    return await within(client.stopRecording(), stopLimitMs, 'ending the recording');
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'deadline') throw thrown;
    throw unreadablePage(thrown);
  }
}

async function visitFirst(order: TrialOrder, parts: TrialParts, gathered: TrialState): Promise<void> {
  await parts.begun;
  const load = loadOf(order, { ...gathered, session: null }, parts.ended);
  gathered.warnings.push(...(await visitBefore(order, parts, load)));
  gathered.startedAt = new Date().toISOString();
  parts.clock.end('first visit');
}

async function startClient(
  order: TrialOrder,
  { driver, probes, profileDir, clock }: TrialParts,
  gathered: TrialState,
): Promise<ClientSession> {
  const client = await driver.start(launchOptions(order, probes.launch, profileDir));
  gathered.client = client;
  clock.end('start the client');
  await client.startRecording();
  clock.end('start recording');
  return client;
}

/** Confines the client and waits until it rests and its trial's turn has come. */
async function awaitTurn(client: ClientSession, parts: TrialParts, gathered: TrialState): Promise<void> {
  // Already here, because it disturbs: it is looked at again when the measurement begins.
  await parts.confine();
  parts.clock.end('keep it to its CPUs');
  await rest(client, gathered, parts.begun);
  parts.clock.end('come to rest, and wait for the turn');
  parts.clock.note('wait for the client since the turn', performance.now() - gathered.turnMs);
}

async function rest(client: ClientSession, gathered: TrialState, asked?: Promise<void>): Promise<void> {
  if (await untilIdle(treeCpuReader(client.rootPid), settled, asked)) return;
  gathered.warnings.push('the client was still busy with itself when the measurement began');
}

async function setUpProbes(
  client: ClientSession,
  order: TrialOrder,
  { probes, profileDir, probesDir }: TrialParts,
  gathered: TrialState,
): Promise<void> {
  await probes.setup({
    launch: launchOptions(order, probes.launch, profileDir),
    rootPid: client.rootPid,
    processes: client.processes,
    trialDir: order.trialDir,
    tempDir: probesDir,
    url: entryUrl(order.workload, order.server?.port ?? null),
    processRole: (commandLine) => client.processRole(commandLine),
  });
  if (probes.disturb) await rest(client, gathered);
}

/** Blocks UDP where the arm says so. */
async function blockedUdp({ factors: { udp = 'open' }, server }: TrialOrder): Promise<UdpBlock | undefined> {
  const afterMs = udpBlockedAfterMs(udp);
  if (afterMs === null) return undefined;
  if (server === null) throw new H2h3Error('unsupported', 'UDP of a server that is not ours is left alone');
  return blockUdp(server.port, afterMs);
}

/** Tells the page of a download to wait until the server has ended an idle connection, in ms; more than it takes it. */
const connectAgain = '&again=2500';
/** A recorded session’s player tells the server of itself (CMCD): a second witness, whose cost no judged time has. */
const tellsServer = '&cmcd=1';

/** Tells the page of a video which player an arm names. @throws H2h3Error for one that was not prepared */
function playedBy({ players, id }: PreparedWorkload, name: string | undefined): string {
  if (name === undefined) return '';
  const exact = players?.[name];
  if (exact === undefined) throw new H2h3Error('internal', `${id} has no player called ${name}`);
  return `&player=${exact}`;
}

/** Tells the page of a video in which folder of its media chunks are held back. */
function heldIn(faults: string | undefined): string {
  const held = chunkDelayIn(faults);
  return held === undefined ? '' : `&held=${heldFolder(held)}`;
}

/** What the client is to load, all within the workload's one deadline. */
function loadOf(
  { instrumentation, workload, server, factors }: TrialOrder,
  gathered: Pick<TrialState, 'session' | 'journey' | 'stepTimelines' | 'secrets' | 'failure'>,
  ended: Promise<void>,
): Load {
  const endMs = performance.now() + workload.deadlineMs;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  return {
    workload,
    url:
      entryUrl(workload, server?.port ?? null) +
      (factors.resume === undefined ? '' : connectAgain) +
      playedBy(workload, factors.player) +
      heldIn(factors.fault) +
      (factors.transport === undefined ? '' : `&transport=${factors.transport}`) +
      (instrumentation === 'instrumented' && workload.kind === 'video' ? tellsServer : ''),
    leftMs,
    ...(instrumentation === 'uninstrumented' && server !== null ? { ended } : {}),
    keep: (session) => (gathered.session = session),
    keepStep: (step) => gathered.journey.push(step),
    keepTimeline: (timeline) => gathered.stepTimelines.push(timeline),
    keepSecret: (secret) => gathered.secrets.add(secret),
    secrets: () => [...gathered.secrets],
    keepFailure: (seen) => (gathered.failure = seen),
  };
}
