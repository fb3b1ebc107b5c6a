import { relative } from 'node:path';
import { harSoftware } from '../../../harness/clients/har-software.ts';
import { foreignText } from '../../../harness/hosts/foreign-text.ts';
import type { TrialOutcome } from '../../../harness/trial/measurement.ts';
import { harOfTimelines } from '../../analyse/derive/har-of-timelines.ts';
import { deriveTrial } from '../../analyse/derive/derive-trial.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import type { ExpectedLoad } from '../../core/model/expected-load.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { Har } from '../../core/model/har.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { reasonOf, writtenReason, type Reason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { pathFactsOfChain } from '../../core/model/testbed-facts.ts';
import { leftOutOf, type PreparedWorkload } from '../../core/model/workload.ts';
import { isLackOfRoom } from '../../core/system/lack-of-room.ts';
import { harFile, rawFile, readFrames, readHar, writeEvidence, writeHar } from '../../store/evidence.ts';

export interface FinishOptions {
  readonly runDir: string;
  readonly trialDir: string;
  readonly protocol: ArmProtocol;
  readonly workload: PreparedWorkload;
  /** What earlier loads of the same page by the same arm had. */
  readonly expected?: ExpectedLoad | undefined;
}

function identity(
  trial: PlannedTrial,
): Omit<
  TrialRecord,
  'status' | 'startedAt' | 'durationMs' | 'postProcessMs' | 'metrics' | 'artifacts' | 'warnings'
> {
  const { trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation } = trial;
  return {
    schemaVersion: 1,
    trialId,
    blockIndex,
    arm,
    workload,
    client,
    network,
    server,
    factors,
    instrumentation,
  };
}

/** A trial that never ran. */
export function recordWithoutMeasurement(
  trial: PlannedTrial,
  outcome: Extract<TrialOutcome, { kind: 'not-measured' }>,
): TrialRecord {
  const { status, reason, startedAt, durationMs } = outcome;
  return {
    ...identity(trial),
    status,
    ...writtenReason(reason),
    startedAt,
    durationMs,
    postProcessMs: 0,
    metrics: {},
    artifacts: {},
    warnings: [],
  };
}

/** A trial that was left out, now; `host` as far as it is known which it would have been. */
export function notRun(trial: PlannedTrial, reason: Reason, host?: string): TrialRecord {
  const startedAt = new Date().toISOString();
  const outcome = { kind: 'not-measured', status: 'not-run', reason, startedAt, durationMs: 0 } as const;
  return { ...recordWithoutMeasurement(trial, outcome), ...(host === undefined ? {} : { host }) };
}

/** The HAR of a load that its browser did not record; null for one that it did, or of which it left nothing. */
export function harOfUnrecorded(
  { timelines, timings, documents, serverLog, ledger, browser }: RawTrial,
  workload: PreparedWorkload,
  expected?: ExpectedLoad,
): Har | null {
  const [page] = timelines ?? [];
  if (timelines === undefined || page === undefined) return null;
  const comment = "made of the page's own timelines and our servers' logs";
  const software = harSoftware(browser ?? { name: 'unknown', version: '' }, comment);
  return harOfTimelines({
    url: page.url,
    timings,
    timelines,
    documents,
    serverLog,
    loggedHosts: workload.loggedHosts,
    ...(workload.replay === undefined
      ? {}
      : { replayedHosts: workload.roots.map(({ host }) => host.toLowerCase()) }),
    expected,
    refusedSockets: (ledger?.inexact ?? []).flatMap(({ found, url }) => (found === 'lacking' ? [url] : [])),
    blocked: leftOutOf(workload),
    software,
  });
}

/**
 * Stores the evidence, derives metrics and validity from what was stored, and makes the journal's record. Whatever a client says of
 * its trial, a fault in that is the trial's alone.
 *
 * @throws H2h3Error `storage` where nothing can be written any more
 */
export async function finishTrial(
  trial: PlannedTrial,
  outcome: TrialOutcome,
  options: FinishOptions,
): Promise<TrialRecord> {
  if (outcome.kind === 'not-measured') return recordWithoutMeasurement(trial, outcome);
  try {
    return await recordOfMeasured(trial, outcome, options);
  } catch (thrown) {
    // Evidence that cannot be kept or read makes the trial worthless, not the run.
    if (isLackOfRoom(thrown)) throw thrown;
    const { startedAt, durationMs } = outcome.raw;
    const why = foreignText(messageOf(thrown));
    const reason =
      thrown instanceof H2h3Error && thrown.code === 'storage'
        ? reasonOf('evidence-unkept', `the trial's evidence could not be kept: ${why}`)
        : reasonOf('evidence-unreadable', `the trial's evidence could not be read: ${why}`);
    // Not the evidence itself: whoever read that again later would fail as well.
    const artifacts = Object.entries(outcome.artifacts).filter(([name]) => name !== 'raw');
    return {
      ...recordWithoutMeasurement(trial, {
        kind: 'not-measured',
        status: 'failed',
        reason,
        startedAt,
        durationMs,
      }),
      artifacts: belowRun(Object.fromEntries(artifacts), options),
    };
  }
}

/** Paths below the run's folder. */
function belowRun(
  files: Readonly<Record<string, string>>,
  { runDir, trialDir }: FinishOptions,
): Record<string, string> {
  const folder = relative(runDir, trialDir);
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `${folder}/${file}`]));
}

async function recordOfMeasured(
  trial: PlannedTrial,
  outcome: Extract<TrialOutcome, { kind: 'measured' }>,
  options: FinishOptions,
): Promise<TrialRecord> {
  const { raw } = outcome;
  const { trialDir, workload, protocol, expected } = options;
  const begun = performance.now();
  const path = raw.testbed && pathFactsOfChain(raw.testbed);
  writeEvidence(trialDir, { protocol, workload, raw, path, expected });
  const made = harOfUnrecorded(raw, workload, expected);
  if (made !== null) writeHar(trialDir, made);
  const har = readHar(trialDir);
  const frameImages = readFrames(trialDir, raw.frames);
  const derived = await deriveTrial({ protocol, workload, raw, path, expected, har, frameImages });
  // The evidence is what was written here, whatever a client calls by that name.
  const files = { ...outcome.artifacts, ...(made === null ? {} : { har: harFile }), raw: rawFile };
  return {
    ...identity(trial),
    ...(workload.view === undefined ? {} : { view: workload.view }),
    status: derived.status,
    ...(derived.reason === undefined ? {} : { reason: derived.reason, reasonCode: derived.reasonCode }),
    ...(derived.otherReasonCodes === undefined ? {} : { otherReasonCodes: [...derived.otherReasonCodes] }),
    startedAt: raw.startedAt,
    durationMs: raw.durationMs,
    postProcessMs: outcome.postProcessMs + performance.now() - begun,
    metrics: derived.metrics,
    ...(derived.steps === undefined ? {} : { steps: derived.steps }),
    artifacts: belowRun(files, options),
    warnings: [
      ...raw.warnings,
      ...(raw.session?.kind === 'video' ? (raw.session.warnings ?? []) : []),
      ...derived.warnings,
    ],
    ...(Object.keys(raw.counters).length === 0 ? {} : { counters: raw.counters }),
  };
}
