import { mkdir } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { Har } from '../../src/model/har.ts';
import type { JourneyStep, RawTrial, TransportCounts } from '../../src/model/raw-trial.ts';
import { cleanerOf } from '../../src/model/secrets.ts';
import type { Timeline } from '../../src/model/timeline.ts';
import type { Session } from '../../src/model/session.ts';
import { isUsersPage, type PreparedWorkload } from '../../src/model/workload.ts';
import type { ClientDriver, ClientRecord, ClientSession, Load } from '../clients/client-driver.ts';
import { unreadablePage, within } from '../clients/browsers/deadline.ts';
import type { SeenFailure } from '../clients/journey/look-at-failure.ts';
import type { ClientRecording } from '../probes/probe.ts';
import type { ProbeSet } from '../probes/probe-set.ts';
import type { TrialOrder } from './worker-protocol.ts';
import type { StepClock } from './step-clock.ts';
import { treeCpuSeconds, untilIdle } from '../../src/system/processes/idle.ts';
import { udpBlockedAfterMs } from '../../src/factors/udp.ts';
import { blockUdp, type UdpBlock } from './block-udp.ts';
import { cleanerOfAccess, harWithoutSecrets, type Clean } from './har-without-secrets.ts';
import { openStartSignal } from './start-signal.ts';
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
  /** Resolves when the trial's turn has come. Until then its client is made ready, beside the evaluation of the trial before. */
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

/** What a trial left when its browser has ended; nothing of it is parsed or written yet. */
export interface MeasuredTrial {
  readonly raw: Omit<RawTrial, 'serverLog' | 'frames' | 'cpu'>;
  /** What must be left out of it. */
  readonly secrets: readonly string[];
  readonly recording: ClientRecording;
  /** Null where no script failed. */
  readonly failure: SeenFailure | null;
}

/** Room for a browser to end recording after its workload's deadline; more than one answer of a page may take. */
const stopLimitMs = 20_000;

/**
 * A browser that was just started still works for itself after its first window, which would otherwise be in the load
 * time: up to twice the time of a small page.
 */
const settled = { intervalMs: 40, intervals: 1, limitMs: 1000 } as const;

/** Everything that is gathered step by step, so that an error or a deadline keeps what was there before. */
interface Gathered {
  /** When its turn came, or its second visit began. */
  startedAt: string;
  /** When its turn came, on the clock of `performance.now()`. */
  turnMs: number;
  client: ClientSession | null;
  recording: ClientRecord | null;
  session: Session | null;
  readonly journey: JourneyStep[];
  /** What each step's page kept of its requests. */
  readonly stepTimelines: Timeline[];
  /** What the page of a script showed when the script failed. */
  failure: SeenFailure | null;
  /** What must not be written: what opens the page, and what its script asked for. */
  readonly secrets: Set<string>;
  measuredMs: number;
  /** When the load, and the quiet time after it, were over; null: they never were. */
  restEpochMs: number | null;
  /** When the path was told that navigation begins; null: it never was. */
  signalEpochMs: number | null;
  transports: TransportCounts | null;
  outcome: RawTrial['outcome'];
  error: RawTrial['error'];
  readonly warnings: string[];
}

/** One measurement in a fresh browser. Never throws: what went wrong is the outcome. */
export async function runTrial(order: TrialOrder, parts: TrialParts): Promise<MeasuredTrial> {
  const gathered: Gathered = {
    startedAt: new Date().toISOString(),
    turnMs: performance.now(),
    client: null,
    recording: null,
    session: null,
    journey: [],
    stepTimelines: [],
    failure: null,
    secrets: new Set(order.access?.secrets),
    measuredMs: 0,
    restEpochMs: null,
    signalEpochMs: null,
    transports: null,
    outcome: 'completed',
    error: undefined,
    warnings: [],
  };
  const turn = parts.begun.then(() => {
    gathered.startedAt = new Date().toISOString();
    gathered.turnMs = performance.now();
  });
  try {
    await measure(order, { ...parts, begun: turn }, gathered);
  } catch (thrown) {
    fail(gathered, thrown);
  }
  // A client that could not be made ready is told of in its trial's turn.
  await turn;
  await gathered.client?.close();
  parts.clock.end('end the client');
  return measuredTrial(order, gathered, performance.now() - gathered.turnMs);
}

async function measure(order: TrialOrder, parts: TrialParts, gathered: Gathered): Promise<void> {
  const { probes, clock } = parts;
  await mkdir(parts.profileDir, { recursive: true });
  if (probes.launch.logs.length > 0) await mkdir(logsFolder(parts.profileDir), { recursive: true });
  // It loads from the server, so it belongs to the trial's own time.
  if (order.workload.view === 'repeat') await visitFirst(order, parts, gathered);
  const client = await startClient(order, parts, gathered);
  await awaitTurn(client, parts, gathered);
  await mkdir(order.trialDir, { recursive: true });
  const signal = await openStartSignal(order.startSignal);
  await setUpProbes(client, order, parts, gathered);
  await parts.hold(client.rootPid);
  if (!(await parts.confine()))
    gathered.warnings.push('not every process of the client could be kept to the CPUs of the client');
  const udpBlock = await blockedUdp(order);
  await probes.start();
  clock.end('probes and CPUs');
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
  if ((await udpBlock?.end()) === false)
    gathered.warnings.push(`udp=${order.factors.udp}: the load was over before UDP was blocked`);
  clock.end('load, and quiet time after it');
  await probes.stop();
  gathered.recording = await readOut(client);
  parts.measured();
  clock.end('read the client out');
  const { disturbance } = gathered.recording;
  if (disturbance !== undefined) fail(gathered, new H2h3Error('process-failed', disturbance));
  signal.close();
}

/** No deadline of the load: that was kept, and a time that cannot be read is not taken for the longest one. */
async function readOut(client: ClientSession): Promise<ClientRecord> {
  try {
    return await within(client.stopRecording(), stopLimitMs, 'ending the recording');
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'deadline') throw thrown;
    throw unreadablePage(thrown);
  }
}

async function visitFirst(order: TrialOrder, parts: TrialParts, gathered: Gathered): Promise<void> {
  await parts.begun;
  const load = loadOf(order, { ...gathered, session: null }, parts.ended);
  gathered.warnings.push(...(await visitBefore(order, parts, load)));
  gathered.startedAt = new Date().toISOString();
  parts.clock.end('first visit');
}

async function startClient(
  order: TrialOrder,
  { driver, probes, profileDir, clock }: TrialParts,
  gathered: Gathered,
): Promise<ClientSession> {
  const client = await driver.start(launchOptions(order, probes.launch, profileDir));
  gathered.client = client;
  clock.end('start the client');
  await client.startRecording();
  clock.end('start recording');
  return client;
}

/** Confines the client and waits until it rests and its trial's turn has come. */
async function awaitTurn(client: ClientSession, parts: TrialParts, gathered: Gathered): Promise<void> {
  // Already here, because it disturbs: it is looked at again when the measurement begins.
  await parts.confine();
  parts.clock.end('keep it to its CPUs');
  await rest(client, gathered, parts.begun);
  parts.clock.end('come to rest, and wait for the turn');
  parts.clock.note('wait for the client since the turn', performance.now() - gathered.turnMs);
}

async function rest(client: ClientSession, gathered: Gathered, asked?: Promise<void>): Promise<void> {
  if (await untilIdle(() => treeCpuSeconds(client.rootPid), settled, asked)) return;
  gathered.warnings.push('the client was still busy with itself when the measurement began');
}

async function setUpProbes(
  client: ClientSession,
  order: TrialOrder,
  { probes, profileDir, probesDir }: TrialParts,
  gathered: Gathered,
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

/** What the client is to load, all within the workload's one deadline. */
function loadOf(
  { watch, workload, server, factors }: TrialOrder,
  gathered: Pick<Gathered, 'session' | 'journey' | 'stepTimelines' | 'secrets' | 'failure'>,
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
      (factors.transport === undefined ? '' : `&transport=${factors.transport}`) +
      (watch === 'evidence' && workload.kind === 'video' ? tellsServer : ''),
    leftMs,
    ...(watch === 'bare' && server !== null ? { ended } : {}),
    keep: (session) => (gathered.session = session),
    keepStep: (step) => gathered.journey.push(step),
    keepTimeline: (timeline) => gathered.stepTimelines.push(timeline),
    keepSecret: (secret) => gathered.secrets.add(secret),
    secrets: () => [...gathered.secrets],
    keepFailure: (seen) => (gathered.failure = seen),
  };
}

/** The first thing that went wrong is the outcome. */
function fail(gathered: Gathered, thrown: unknown): void {
  if (gathered.outcome !== 'completed') {
    gathered.warnings.push(messageOf(thrown));
    return;
  }
  const isDeadline = thrown instanceof H2h3Error && thrown.code === 'deadline';
  gathered.outcome = isDeadline ? 'deadline' : 'error';
  const told = thrown instanceof H2h3Error ? thrown.context.stderrTail : undefined;
  const isScripts = thrown instanceof H2h3Error && thrown.code === 'bad-input';
  const stderrTail = isScripts ? '' : (told ?? gathered.client?.stderrTail() ?? '');
  gathered.error = {
    code: thrown instanceof H2h3Error ? thrown.code : 'internal',
    message: failureWords(thrown),
    ...(stderrTail === '' ? {} : { stderrTail }),
  };
}

function failureWords(thrown: unknown): string {
  const got = thrown instanceof H2h3Error ? thrown.context.got : undefined;
  return got === undefined || messageOf(thrown).includes(got)
    ? messageOf(thrown)
    : `${messageOf(thrown)}; got ${got}`;
}

function measuredTrial(order: TrialOrder, gathered: Gathered, durationMs: number): MeasuredTrial {
  const { client, recording, error } = gathered;
  const secrets = [...gathered.secrets];
  const clean = isUsersPage(order.workload)
    ? cleanerOfAccess(order.access?.headers ?? [], secrets)
    : cleanerOf(secrets);
  return {
    raw: {
      schemaVersion: 1,
      trialId: order.trialId,
      watch: order.watch,
      outcome: gathered.outcome,
      ...(error === undefined ? {} : { error }),
      browser: client && { name: client.name, version: client.version },
      startedAt: gathered.startedAt,
      durationMs,
      measuredMs: gathered.measuredMs,
      deadlineMs: order.workload.deadlineMs,
      ...(gathered.restEpochMs === null ? {} : { restEpochMs: gathered.restEpochMs }),
      ...(order.factors.udp === undefined ? {} : { udp: order.factors.udp }),
      ...(order.factors.priorities === 'none' ? { sentPriorities: 'none' as const } : {}),
      ...(order.workload.replay === undefined ? {} : { containment: containmentOf(order) }),
      ...(gathered.transports === null ? {} : { transports: gathered.transports }),
      timings: recording?.timings ?? null,
      ...(recording?.documents === undefined ? {} : { documents: [...recording.documents] }),
      ...(recording?.timelines === undefined
        ? {}
        : { timelines: timelinesOf(gathered, recording.timelines) }),
      session: gathered.session,
      ...linkTraceOf(order, gathered),
      ...(order.workload.journey === undefined ? {} : { journey: gathered.journey }),
      counters: {},
      warnings: [...gathered.warnings, ...(recording?.warnings ?? [])],
    },
    secrets,
    failure:
      gathered.failure === null ? null : { ...gathered.failure, failure: clean(gathered.failure.failure) },
    recording: {
      frames: recording?.frames ?? null,
      buildHar: recording?.buildHar === undefined ? null : harBuilder(order, recording.buildHar, clean),
      clean,
    },
  };
}

/** The rate that the path had while a session played, where a trace set it. */
function linkTraceOf(
  { startSignal, workload }: TrialOrder,
  { signalEpochMs, measuredMs }: Gathered,
): Pick<RawTrial, 'linkTrace'> {
  const rates = startSignal?.downMbps;
  if (workload.kind !== 'video' || rates === undefined || signalEpochMs === null) return {};
  const downMbps = rates.slice(0, Math.ceil(measuredMs / 1000));
  return { linkTrace: { startEpochMs: signalEpochMs, downMbps } };
}

/** Of a journey those of its steps, and of the last page's frames and workers; of anything else those at the end. */
function timelinesOf({ stepTimelines }: Gathered, atEnd: readonly Timeline[]): Timeline[] {
  if (stepTimelines.length === 0) return [...atEnd];
  return [...stepTimelines, ...atEnd.filter(({ scope }) => scope !== 'page')];
}

function harBuilder({ workload }: TrialOrder, build: () => Promise<Har>, clean: Clean): () => Promise<Har> {
  return async () => {
    const har = await build();
    return isUsersPage(workload) ? harWithoutSecrets(har, clean) : clean(har);
  };
}

/** What the launch of each family does with a recorded page; without it no browser starts. */
function containmentOf({ client }: TrialOrder): string {
  return client.family === 'firefox'
    ? 'every other host leads to a proxy that there is not; WebRTC is off'
    : 'every other name and address leads nowhere; WebRTC sends no UDP of its own';
}
