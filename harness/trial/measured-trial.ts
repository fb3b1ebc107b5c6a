import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type { Har } from '../../src/core/model/har.ts';
import type { JourneyStep, RawTrial, TransportCounts } from '../../src/core/model/raw-trial.ts';
import type { Stretch } from '../../src/core/model/schedule-course.ts';
import { cleanerOf } from '../../src/core/model/secrets.ts';
import type { Session } from '../../src/core/model/session.ts';
import type { ClientSide } from '../../src/core/model/sides-of-trial.ts';
import type { Timeline } from '../../src/core/model/timeline.ts';
import { isUsersPage } from '../../src/core/model/workload.ts';
import type { ClientRecord, ClientSession } from '../clients/client-driver.ts';
import type { SeenFailure } from '../clients/journey/look-at-failure.ts';
import type { ClientRecording } from '../probes/probe.ts';
import { cleanerOfAccess, harWithoutSecrets, type Clean } from './har-without-secrets.ts';
import type { TrialOrder } from './worker-protocol.ts';

/** What a trial left when its browser has ended; nothing of it is parsed or written yet. */
export interface MeasuredTrial {
  readonly raw: Omit<ClientSide, 'frames' | 'cpu'>;
  /** What must be left out of it. */
  readonly secrets: readonly string[];
  readonly recording: ClientRecording;
  /** Null where no script failed. */
  readonly failure: SeenFailure | null;
}

/** Everything that is gathered step by step, so that an error or a deadline keeps what was there before. */
export interface TrialState {
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
  /** Of live addresses over the machine's own network alone. */
  clientFamilies: RawTrial['clientFamilies'];
  /** That the client's first process may use; null: not known. */
  clientCpus: string | null;
  outcome: RawTrial['outcome'];
  error: RawTrial['error'];
  readonly warnings: string[];
}

export function emptyTrialState({ access }: TrialOrder): TrialState {
  return {
    startedAt: new Date().toISOString(),
    turnMs: performance.now(),
    client: null,
    recording: null,
    session: null,
    journey: [],
    stepTimelines: [],
    failure: null,
    secrets: new Set(access?.secrets),
    measuredMs: 0,
    restEpochMs: null,
    signalEpochMs: null,
    transports: null,
    clientFamilies: undefined,
    clientCpus: null,
    outcome: 'completed',
    error: undefined,
    warnings: [],
  };
}

/** The first thing that went wrong is the outcome. */
export function fail(gathered: TrialState, thrown: unknown): void {
  if (gathered.outcome !== 'completed') {
    gathered.warnings.push(messageOf(thrown));
    return;
  }
  const isDeadline = thrown instanceof H2h3Error && thrown.code === 'deadline';
  gathered.outcome = isDeadline ? 'deadline' : 'error';
  const { stderrTail: told, netError } = thrown instanceof H2h3Error ? thrown.context : {};
  const isScripts = thrown instanceof H2h3Error && thrown.code === 'bad-input';
  const stderrTail = isScripts ? '' : (told ?? gathered.client?.stderrTail() ?? '');
  gathered.error = {
    code: thrown instanceof H2h3Error ? thrown.code : 'internal',
    message: errorMessage(thrown),
    ...(typeof netError === 'string' ? { netError } : {}),
    ...(stderrTail === '' ? {} : { stderrTail }),
  };
}

function errorMessage(thrown: unknown): string {
  const got = thrown instanceof H2h3Error ? thrown.context.got : undefined;
  return got === undefined || messageOf(thrown).includes(got)
    ? messageOf(thrown)
    : `${messageOf(thrown)}; got ${got}`;
}

/** What all of that says, with secrets left out where they are found at once. */
export function measuredTrial(order: TrialOrder, gathered: TrialState, durationMs: number): MeasuredTrial {
  const { client, recording, error } = gathered;
  const secrets = [...gathered.secrets];
  const clean = isUsersPage(order.workload)
    ? cleanerOfAccess(order.access?.headers ?? [], secrets)
    : cleanerOf(secrets);
  return {
    raw: {
      schemaVersion: 1,
      trialId: order.trialId,
      instrumentation: order.instrumentation,
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
      ...(order.clientCpus === undefined
        ? {}
        : { clientCpus: { asked: order.clientCpus, had: gathered.clientCpus } }),
      ...(gathered.transports === null ? {} : { transports: gathered.transports }),
      ...(gathered.clientFamilies === undefined ? {} : { clientFamilies: gathered.clientFamilies }),
      timings: recording?.timings ?? null,
      ...(recording?.documents === undefined ? {} : { documents: [...recording.documents] }),
      ...(recording?.timelines === undefined
        ? {}
        : { timelines: timelinesOf(gathered, recording.timelines) }),
      session: gathered.session,
      ...linkTraceOf(order, gathered),
      ...linkScheduleOf(order, gathered),
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
  { signalEpochMs, measuredMs }: TrialState,
): Pick<RawTrial, 'linkTrace'> {
  const rates = startSignal?.downMbps;
  if (workload.kind !== 'video' || rates === undefined || signalEpochMs === null) return {};
  const downMbps = rates.slice(0, Math.ceil(measuredMs / 1000));
  return { linkTrace: { startEpochMs: signalEpochMs, downMbps } };
}

/** What the schedule of the path set from navigation on. */
function linkScheduleOf(
  { startSignal }: TrialOrder,
  { signalEpochMs, measuredMs }: TrialState,
): Pick<RawTrial, 'linkSchedule'> {
  const schedule = startSignal?.schedule;
  if (schedule === undefined || signalEpochMs === null) return {};
  const met = (stretches: readonly Stretch[]): Stretch[] =>
    stretches.filter(({ fromMs }) => fromMs < measuredMs);
  return { linkSchedule: { startEpochMs: signalEpochMs, up: met(schedule.up), down: met(schedule.down) } };
}

/** Of a journey those of its steps, and of the last page's frames and workers; of anything else those at the end. */
function timelinesOf({ stepTimelines }: TrialState, atEnd: readonly Timeline[]): Timeline[] {
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
