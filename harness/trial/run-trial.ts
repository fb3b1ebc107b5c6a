import { mkdir } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { RawTrial } from '../../src/model/raw-trial.ts';
import type { Session } from '../../src/model/session.ts';
import type { ClientDriver, ClientRecord, ClientSession, Load } from '../clients/client-driver.ts';
import { within } from '../clients/browsers/deadline.ts';
import type { ClientRecording } from '../probes/probe.ts';
import type { ProbeSet } from '../probes/probe-set.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { treeCpuSeconds, untilIdle } from '../../src/system/processes/idle.ts';
import { openStartSignal } from './start-signal.ts';
import { visitBefore } from './visit-before.ts';
import { launchOptions } from './launch-options.ts';
import { entryUrl } from './workload-address.ts';

export interface TrialParts {
  readonly driver: ClientDriver;
  readonly probes: ProbeSet;
  /** Made here, removed by the caller. */
  readonly profileDir: string;
  /** Probes have their temporary files below it. */
  readonly probesDir: string;
  /**
   * Confines this process and the client below `rootPid` to their CPUs, and the client to its share of them, when all is
   * ready; resolves with false when the CPUs were not all taken. @throws H2h3Error where it cannot have its share
   */
  readonly confine: (rootPid: number) => Promise<boolean>;
  /** Called when what was to be measured is over; the browser is still there to be read out. */
  readonly measured: () => void;
}

/** What a trial left when its browser has ended; nothing of it is parsed or written yet. */
export interface MeasuredTrial {
  readonly raw: Omit<RawTrial, 'serverLog' | 'frames' | 'cpu'>;
  readonly recording: ClientRecording;
}

/** Room for a browser to end recording after its workload's deadline. */
const stopLimitMs = 10_000;

/**
 * A browser that was just started still works for itself after its first window, which would otherwise be in the load
 * time: up to twice the time of a small page.
 */
const settled = { intervalMs: 40, intervals: 1, limitMs: 1000 } as const;

/** Everything that is gathered step by step, so that an error or a deadline keeps what was there before. */
interface Gathered {
  startedAt: string;
  client: ClientSession | null;
  recording: ClientRecord | null;
  session: Session | null;
  measuredMs: number;
  outcome: RawTrial['outcome'];
  error: RawTrial['error'];
  readonly warnings: string[];
}

/** One measurement in a fresh browser. Never throws: what went wrong is the outcome. */
export async function runTrial(order: TrialOrder, parts: TrialParts): Promise<MeasuredTrial> {
  const startMs = performance.now();
  const gathered: Gathered = {
    startedAt: new Date().toISOString(),
    client: null,
    recording: null,
    session: null,
    measuredMs: 0,
    outcome: 'completed',
    error: undefined,
    warnings: [],
  };
  try {
    await measure(order, parts, gathered);
  } catch (thrown) {
    fail(gathered, thrown);
  }
  await gathered.client?.close();
  return measuredTrial(order, gathered, performance.now() - startMs);
}

async function measure(order: TrialOrder, parts: TrialParts, gathered: Gathered): Promise<void> {
  const { driver, probes, profileDir } = parts;
  await mkdir(profileDir, { recursive: true });
  if (order.workload.view === 'repeat') {
    gathered.warnings.push(
      ...(await visitBefore(
        order,
        parts,
        loadOf(order, () => undefined),
      )),
    );
    gathered.startedAt = new Date().toISOString();
  }
  const launch = launchOptions(order, probes.launch, profileDir);
  const client = await driver.start(launch);
  gathered.client = client;
  const signal = await openStartSignal(order.startSignal);
  await client.startRecording();
  await probes.setup({
    ...{ launch, rootPid: client.rootPid, trialDir: order.trialDir, tempDir: parts.probesDir },
    url: entryUrl(order.workload, order.server?.port ?? null),
    processRole: (commandLine) => client.processRole(commandLine),
  });
  if (!(await untilIdle(() => treeCpuSeconds(client.rootPid), settled)))
    gathered.warnings.push('the client was still busy with itself when the measurement began');
  if (!(await parts.confine(client.rootPid)))
    gathered.warnings.push('not every process of the client could be kept to the CPUs of the client');
  await probes.start();
  const startMs = performance.now();
  try {
    signal.send();
    const loaded = await client.load(loadOf(order, (session) => (gathered.session = session)));
    gathered.session = loaded.session;
    gathered.warnings.push(...loaded.warnings);
  } catch (thrown) {
    fail(gathered, thrown);
  }
  gathered.measuredMs = performance.now() - startMs;
  await probes.stop();
  parts.measured();
  gathered.recording = await within(client.stopRecording(), stopLimitMs, 'ending the recording');
  const { disturbance } = gathered.recording;
  if (disturbance !== undefined) fail(gathered, new H2h3Error('process-failed', disturbance));
  signal.close();
}

/** What the client is to load, all within the workload's one deadline. */
function loadOf({ workload, server }: TrialOrder, keep: (session: Session) => void): Load {
  const endMs = performance.now() + workload.deadlineMs;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  return { workload, url: entryUrl(workload, server?.port ?? null), leftMs, keep };
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
  const stderrTail = told ?? gathered.client?.stderrTail() ?? '';
  gathered.error = {
    code: thrown instanceof H2h3Error ? thrown.code : 'internal',
    message: describe(thrown),
    ...(stderrTail === '' ? {} : { stderrTail }),
  };
}

function describe(thrown: unknown): string {
  const got = thrown instanceof H2h3Error ? thrown.context.got : undefined;
  return got === undefined || messageOf(thrown).includes(got)
    ? messageOf(thrown)
    : `${messageOf(thrown)}; got ${got}`;
}

function measuredTrial(order: TrialOrder, gathered: Gathered, durationMs: number): MeasuredTrial {
  const { client, recording, error } = gathered;
  return {
    raw: {
      schemaVersion: 1,
      trialId: order.trialId,
      outcome: gathered.outcome,
      ...(error === undefined ? {} : { error }),
      browser: client && { name: client.name, version: client.version },
      startedAt: gathered.startedAt,
      durationMs,
      measuredMs: gathered.measuredMs,
      deadlineMs: order.workload.deadlineMs,
      ...(order.workload.replay === undefined ? {} : { containment: containmentOf(order) }),
      timings: recording?.timings ?? null,
      session: gathered.session,
      counters: {},
      warnings: [...gathered.warnings, ...(recording?.warnings ?? [])],
    },
    recording: {
      frames: recording?.frames ?? null,
      buildHar: recording && (() => recording.buildHar()),
    },
  };
}

/** What the launch of each family does with a recorded page; without it no browser starts. */
function containmentOf({ client }: TrialOrder): string {
  return client.family === 'firefox'
    ? 'every other host leads to a proxy that there is not; WebRTC is off'
    : 'every other name and address leads nowhere; WebRTC sends no UDP of its own';
}
