import { join, relative } from 'node:path';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import { gateOutcomeSchema, type Gate } from '../../core/model/gate.ts';
import { currentBaseline } from '../../store/baselines.ts';
import type { Notification, NotifyFile } from '../../core/model/notification.ts';
import type { Summary } from '../../core/model/summary.ts';
import { openHistory } from '../../store/history.ts';
import { appendNightEvent } from '../../store/nights.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { buildsOf, factorOfName, presetOfGate } from '../gate/gate-subject.ts';
import { runAndGate, type GateOptions } from '../gate/gate.ts';
import { importRuns, publishTrend, trendMetrics } from '../history/history-file.ts';
import { collectorOf, exportMeasurements } from '../notify/export-measurements.ts';
import { measurementsOf } from '../notify/night-measurements.ts';
import { failedNight, notificationOf } from '../notify/notification-of-night.ts';
import { notify } from '../notify/notify.ts';
import { readNotifyFile } from '../notify/notify-file.ts';
import { browserOf, exactClient } from '../plan/exact-client.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { publishIndex } from '../report/publish-index.ts';

/** A night: the newest browser, server or player against the accepted one. */
export interface NightlyOptions extends Omit<
  GateOptions,
  'baseline' | 'candidate' | 'out' | 'force' | 'margin'
> {
  /** Browser, server or player to check. Default: `chromium@stable`. */
  readonly candidate?: string | undefined;
  /** Default: the accepted baseline of that name. */
  readonly baseline?: string | undefined;
  /** Fetch the candidate where it is not installed. Default: yes. */
  readonly install?: boolean | undefined;
  /** File that says where to send the outcome. Default: nowhere. */
  readonly notifyFile?: string | undefined;
  /** Address of an OpenTelemetry collector. Default: `OTEL_EXPORTER_OTLP_ENDPOINT`; without it none. */
  readonly otlp?: string | undefined;
}

const usualCandidate = 'chromium@stable';

export interface FinishedNight {
  readonly gate: Gate;
  readonly reportPath: string;
  /** Path of `history.html`; null when the history could not be written. */
  readonly trendPath: string | null;
  /** As of a gate; 3 when it passed and could not be kept in the history. */
  readonly exitCode: ExitCode;
}

/**
 * Runs and judges one night, takes it into the history and writes the trend. `nights.jsonl` notes its beginning and end.
 *
 * @throws H2h3Error `usage` without a baseline; else as `run`
 */
export async function nightly(options: NightlyOptions, context: AppContext): Promise<FinishedNight> {
  const { resultsDir = 'results', notifyFile } = options;
  // Wrong now is told now, not after an hour.
  const told = notifyFile === undefined ? null : readNotifyFile(notifyFile);
  const collector = await collectorOf(options.otlp, context.environment);
  const now = new Date().toISOString();
  const night = now.slice(0, 10);
  const isOfBuilds = buildsOf(options) !== undefined;
  const checked = isOfBuilds
    ? 'app'
    : browserOf(options.candidate ?? usualCandidate).replaceAll(/[^\w.-]+/g, '-');
  const time = now.slice(0, 19).replaceAll(':', '').replace('T', '-');
  const folder = join(resultsDir, `${time}-${checked}-nightly`);
  const note = (event: 'begin' | 'end', exitCode: number | null, text: string): void =>
    appendNightEvent(resultsDir, {
      night,
      event,
      at: new Date().toISOString(),
      exitCode,
      note: text,
      folder: relative(resultsDir, folder),
    });
  note('begin', null, '');
  try {
    const { gate, exitCode, reportPath, directory } = await (isOfBuilds
      ? compareBuilds(options, folder, context)
      : compareVersions(options, folder, context));
    const trendPath = await publishNight(resultsDir, folder, context);
    note('end', exitCode, '');
    const kept = exitCode !== exitCodes.ok || trendPath !== null;
    const notification = notificationOf(gate, exitCode, { folder, reportPath, resultsDir, told });
    await tellOf(told, notification, context);
    await exportNight(collector, notification, () => summaryOf(directory), context);
    return { gate, reportPath, trendPath, exitCode: kept ? exitCode : exitCodes.unsupported };
  } catch (thrown) {
    const code = thrown instanceof H2h3Error ? exitCodeOf(thrown.code) : exitCodes.trialsFailed;
    note('end', code, messageOf(thrown));
    if (code !== exitCodes.interrupted) {
      const notification = failedNight(code, messageOf(thrown));
      await tellOf(told, notification, context);
      await exportNight(collector, notification, () => null, context);
    }
    throw thrown;
  }
}

async function tellOf(
  told: NotifyFile | null,
  notification: Notification,
  { environment, progress }: AppContext,
): Promise<void> {
  if (told !== null)
    await notify(notification, told.notify, { environment, say: (line) => progress.say(line) });
}

async function exportNight(
  collector: string | null,
  notification: Notification,
  summary: () => Summary | null,
  { environment, progress }: AppContext,
): Promise<void> {
  if (collector === null) return;
  const measurements = measurementsOf(notification, summary());
  await exportMeasurements(measurements, collector, { environment, say: (line) => progress.say(line) });
}

function baselineOf(candidate: string, { baseline, resultsDir = 'results' }: NightlyOptions): string {
  const name = browserOf(candidate);
  const accepted = baseline ?? currentBaseline(resultsDir, name)?.client;
  if (accepted !== undefined) return accepted;
  throw new H2h3Error('usage', `no baseline of ${name} was accepted, so there is nothing to compare with`, {
    next: `Accept the version that is known to be good: npx h2h3 baseline accept ${name}@VERSION`,
  });
}

function compareBuilds(
  options: NightlyOptions,
  folder: string,
  context: AppContext,
): ReturnType<typeof runAndGate> {
  context.progress.say('candidate build against baseline build of the app');
  return runAndGate({ ...options, out: folder }, context);
}

async function compareVersions(
  options: NightlyOptions,
  folder: string,
  context: AppContext,
): ReturnType<typeof runAndGate> {
  const { candidate: named = usualCandidate, install = true } = options;
  const source = options.source ?? presetOfGate(factorOfName(named), 'nightly');
  const baseline = baselineOf(named, options);
  const setup = await setupContextOf(context);
  const candidate = await exactClient(named, install, setup, options.flags?.clientHost !== undefined);
  context.progress.say(`candidate ${candidate} against baseline ${baseline}`);
  const judged = await runAndGate({ ...options, source, baseline, candidate, out: folder }, context);
  if (judged.gate.outcome === gateOutcomeSchema.enum.worse)
    context.progress.say(
      `which version between: npx h2h3 gate --baseline ${baseline} --candidate ${candidate} --preset ${source} --bisect`,
    );
  return judged;
}

/** A history that cannot be had costs the night nothing but its place in the trend. */
async function publishNight(resultsDir: string, folder: string, context: AppContext): Promise<string | null> {
  try {
    const history = await openHistory(join(resultsDir, 'history.duckdb'));
    try {
      const { refused } = await importRuns(history, [folder], (line) => context.progress.show(line));
      refused.forEach((line) => context.progress.say(`not in the history: ${line}`));
      const trend = await publishTrend(history, resultsDir, trendMetrics);
      await publishIndex(resultsDir);
      return trend;
    } finally {
      history.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    context.progress.say(`the night is kept in ${folder}, but not in the history: ${thrown.message}`);
    if (thrown.next !== undefined) context.progress.say(`  next: ${thrown.next}`);
    return null;
  }
}
