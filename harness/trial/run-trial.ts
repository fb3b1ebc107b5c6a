import { mkdir } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { RawTrial } from '../../src/model/raw-trial.ts';
import { sessionSchema, type Session } from '../../src/model/session.ts';
import type { BrowserRecording, BrowserSession, LaunchBrowser } from '../clients/browsers/browser.ts';
import { within } from '../clients/browsers/deadline.ts';
import type { ClientRecording } from '../probes/probe.ts';
import type { ProbeSet } from '../probes/probe-set.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { settle } from './settle.ts';
import { openStartSignal } from './start-signal.ts';
import { visitBefore } from './visit-before.ts';
import { launchOptions } from './launch-options.ts';
import { entryUrl } from './workload-address.ts';

export interface TrialParts {
  readonly launch: LaunchBrowser;
  readonly probes: ProbeSet;
  /** Made here, removed by the caller. */
  readonly profileDir: string;
  /** Probes have their temporary files below it. */
  readonly probesDir: string;
  /** Confines this process and the browser to their CPUs when all is ready; resolves with false when that did not work. */
  readonly confine: () => Promise<boolean>;
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

/** Everything that is gathered step by step, so that an error or a deadline keeps what was there before. */
interface Gathered {
  startedAt: string;
  browser: BrowserSession | null;
  recording: BrowserRecording | null;
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
    browser: null,
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
  await gathered.browser?.close();
  return measuredTrial(order, gathered, performance.now() - startMs);
}

async function measure(order: TrialOrder, parts: TrialParts, gathered: Gathered): Promise<void> {
  await mkdir(parts.profileDir, { recursive: true });
  if (order.workload.view === 'repeat') {
    gathered.warnings.push(...(await visitBefore(order, parts)));
    gathered.startedAt = new Date().toISOString();
  }
  const { probes, profileDir } = parts;
  const launch = launchOptions(order, probes.launch, profileDir);
  const browser = await parts.launch(launch);
  gathered.browser = browser;
  const signal = await openStartSignal(order.startSignal);
  await browser.startRecording();
  await probes.setup({
    ...{ launch, rootPid: browser.rootPid, trialDir: order.trialDir, tempDir: parts.probesDir },
    url: entryUrl(order.workload, order.server?.port ?? null),
  });
  if (!(await settle(browser.rootPid)))
    gathered.warnings.push('the browser was still busy with itself when the measurement began');
  if (!(await parts.confine()))
    gathered.warnings.push('not every process of the browser could be kept to the CPUs of the browser');
  await probes.start();
  const startMs = performance.now();
  try {
    signal.send();
    await drive(order, browser, gathered);
  } catch (thrown) {
    fail(gathered, thrown);
  }
  gathered.measuredMs = performance.now() - startMs;
  await probes.stop();
  parts.measured();
  gathered.recording = await within(browser.stopRecording(), stopLimitMs, 'ending the recording');
  const { disturbance } = gathered.recording;
  if (disturbance !== undefined) fail(gathered, new H2h3Error('process-failed', disturbance));
  signal.close();
}

/** Loads the workload and waits for its end, all within its one deadline. */
async function drive(order: TrialOrder, browser: BrowserSession, gathered: Gathered): Promise<void> {
  const { workload } = order;
  const endMs = performance.now() + workload.deadlineMs;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  await browser.navigate(entryUrl(workload, order.server?.port ?? null), leftMs());
  if (workload.driver === 'session') {
    gathered.session = sessionOf(await sessionWithin(browser, leftMs(), gathered));
  } else if (!(await browser.waitUntilQuiet(workload.quietMs, leftMs()))) {
    gathered.warnings.push('requests were still under way at the deadline, after the load event');
  }
}

/** At the deadline the page's results so far are kept: they hold the bytes that came. */
async function sessionWithin(browser: BrowserSession, limitMs: number, gathered: Gathered): Promise<unknown> {
  try {
    return await browser.sessionResult(limitMs);
  } catch (thrown) {
    const soFar = sessionSchema.safeParse(await browser.sessionSoFar?.());
    if (soFar.success) gathered.session = soFar.data;
    throw thrown;
  }
}

function sessionOf(value: unknown): Session {
  const parsed = sessionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const got = JSON.stringify(value)?.slice(0, 500) ?? 'nothing';
  throw new H2h3Error(
    'process-failed',
    `the session of the page is not as expected: ${parsed.error.message}`,
    {
      context: { got },
      cause: parsed.error,
    },
  );
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
  const stderrTail = told ?? gathered.browser?.stderrTail() ?? '';
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
  const { browser, recording, error } = gathered;
  return {
    raw: {
      schemaVersion: 1,
      trialId: order.trialId,
      outcome: gathered.outcome,
      ...(error === undefined ? {} : { error }),
      browser: browser && { name: browser.name, version: browser.version },
      startedAt: gathered.startedAt,
      durationMs,
      measuredMs: gathered.measuredMs,
      deadlineMs: order.workload.deadlineMs,
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
