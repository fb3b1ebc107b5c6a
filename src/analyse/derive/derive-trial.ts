import type { DerivedTrial, DeriveTrial, TrialEvidence } from '../../core/model/derive.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { TrialMetrics } from '../../core/model/metrics.ts';
import { reasonTexts } from '../../core/model/reasons.ts';
import { rawTrialSchema } from '../../core/model/raw-trial.ts';
import { judgedObjects } from '../validity/app-rules.ts';
import { judgeTrial, sessionProof } from '../validity/judge-trial.ts';
import type { Judgement } from '../validity/judge-trial.ts';
import { appMetrics } from './app-metrics.ts';
import { bytesReceived } from './bytes-received.ts';
import { cmcdWitness } from './cmcd-witness.ts';
import { connectFamily } from './connect-family.ts';
import { courseMetrics } from './course-metrics.ts';
import { courseSeriesOf } from './course-series.ts';
import { costMetrics, cpuSecondsByProcess } from './cost-metrics.ts';
import { discoveryInput } from './discovery-input.ts';
import { downloadMetrics } from './download-metrics.ts';
import { withLoggedConnections } from '../validity/logged-connections.ts';
import { messageMetrics } from './message-metrics.ts';
import { messageSeries } from './message-series.ts';
import { networkObjectsOf } from '../../core/metrics/evidence/network-object.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { firstFlightOf, flightMetrics } from './flight-metrics.ts';
import { journeyMetrics, stepsOfJourney } from './journey-metrics.ts';
import { objectMetrics, protocolShare } from './object-metrics.ts';
import { pageMetrics } from './page-metrics.ts';
import type { DerivedPart } from './derived-part.ts';
import { raceMetrics } from './race-metrics.ts';
import { queueMetrics } from './queue-metrics.ts';
import { repeatMetrics } from './repeat-metrics.ts';
import { asAskedFor } from './revalidated.ts';
import { stagesOf } from './stages.ts';
import { soundMetrics } from './sound-metrics.ts';
import { unplayablePath } from './unplayable-path.ts';
import { bytesArrived, uploadMetrics } from './upload-metrics.ts';
import { videoMetrics } from './video-metrics.ts';
import { linkRateOf } from './link-rate.ts';
import { sessionScheduleOf } from './session-link.ts';
import { videoSeries } from './video-series.ts';
import { visualMetrics, visualsMissing } from './visual-metrics.ts';

/**
 * From what a trial left to its status, metrics and warnings. Pure: the same evidence gives the same result, whether
 * just measured or read back. Its warnings come besides `raw.warnings`, which are the caller's to keep.
 * Never throws: evidence that cannot be read makes the trial `failed`.
 */
export const deriveTrial: DeriveTrial = (evidence) => {
  try {
    const raw = rawTrialSchema.safeParse(evidence.raw);
    return raw.success ? derive(evidence) : unreadable(describeIssue(raw.error.issues[0]));
  } catch (error) {
    return unreadable(messageOf(error));
  }
};

function unreadable(why: string): DerivedTrial {
  const reasonCode = 'evidence-unreadable';
  const reason = `${reasonTexts[reasonCode]}: ${why}`;
  return { status: 'failed', reason, reasonCode, metrics: {}, warnings: [] };
}

function describeIssue(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  return issue === undefined
    ? 'it is not a raw trial'
    : `raw.${issue.path.map(String).join('.')}: ${issue.message}`;
}

function derive(evidence: TrialEvidence): DerivedTrial {
  const { raw } = evidence;
  const loaded = networkObjectsOf(evidence.har);
  const judgement = judgeTrial(evidence, loaded);
  // What was kept from the page is told, and no part of what it loaded.
  const isKeptApart = evidence.workload.app?.thirdParties === 'blocked';
  const found = withLoggedConnections(
    isKeptApart ? judgedObjects(evidence.workload, loaded) : loaded,
    raw.serverLog ?? [],
  );
  const second = evidence.workload.view === 'repeat';
  // Metrics are of what the second visit asked the network for; in a cold load all is, or the trial is invalid.
  // Of a journey as well: what an earlier step left in the cache is no work of a later one.
  const isJourney = evidence.workload.kind === 'journey';
  const objects =
    second || isJourney
      ? asAskedFor(
          found.filter(({ fromCache }) => !fromCache),
          raw.serverLog,
        )
      : found;
  const structures = structuresOf(evidence, objects);
  if (raw.outcome === 'deadline') return atDeadline(evidence, objects, judgement, structures);
  const repeated = second ? [repeatMetrics(raw, found)] : [];
  const parts = [
    ...kindMetrics(evidence, objects),
    ...repeated,
    appMetrics(raw),
    queueMetrics(raw),
    courseMetrics(raw, evidence.workload.kind),
    flightMetrics(evidence.protocol, raw),
    connectFamily(evidence),
    raceMetrics(raw),
    costMetrics(raw, bytesCarried(evidence, objects)),
  ];
  const derived = Object.assign({}, ...parts.map((part) => part.metrics), structures) as TrialMetrics;
  const { metrics, warnings } = soundMetrics(derived);
  return {
    ...judgement,
    metrics,
    ...(isJourney ? { steps: stepsOfJourney(evidence.raw.journey ?? [], objects) } : {}),
    warnings: [...judgement.warnings, ...parts.flatMap((part) => part.warnings), ...warnings],
  };
}

/** What the trial is there to carry: bytes that the client received, of uploads those that came to the server. */
function bytesCarried({ raw, workload }: TrialEvidence, objects: readonly NetworkObject[]): number {
  return workload.kind === 'upload' ? bytesArrived(raw) : bytesReceived(raw, objects);
}

function kindMetrics(evidence: TrialEvidence, objects: readonly NetworkObject[]): readonly DerivedPart[] {
  const { raw, har, frameImages, workload } = evidence;
  if (workload.kind === 'journey') return [journeyMetrics(raw.journey ?? [], objects)];
  if (workload.kind === 'page') {
    const discovery = discoveryInput(raw, objects, workload.view);
    const measured = [objectMetrics(objects, discovery), pageMetrics(raw.timings, har, objects, raw)];
    // No pictures are taken of a timed trial.
    if (raw.instrumentation === 'uninstrumented') return measured;
    return [
      ...measured,
      raw.timings === null
        ? visualsMissing('without page timings the start of navigation is not known')
        : visualMetrics(raw.frames, frameImages),
    ];
  }
  if (raw.session === null) return [];
  if (raw.session.kind === 'download') return [downloadMetrics(raw.session, raw.testbed?.roundTripMs)];
  if (raw.session.kind === 'upload') return [uploadMetrics(raw.session, raw)];
  if (raw.session.kind === 'messages') return [messageMetrics(raw.session)];
  return [
    videoMetrics(raw.session, workload.vmaf),
    cmcdWitness(raw.session, raw.serverLog),
    { metrics: sessionProof(evidence)?.metrics ?? {}, warnings: [] },
  ];
}

function seriesOf(session: TrialEvidence['raw']['session']): TrialMetrics {
  if (session?.kind === 'messages') return messageSeries(session);
  return session?.kind === 'video' ? videoSeries(session) : {};
}

/** The metrics that are no plain numbers; those that do not apply are left out. */
function structuresOf(evidence: TrialEvidence, objects: readonly NetworkObject[]): TrialMetrics {
  const { raw } = evidence;
  const structures = seriesOf(raw.session);
  const linkRate = linkRateOf(raw);
  if (linkRate !== undefined) structures.linkRateMbps = linkRate;
  const linkSchedule = sessionScheduleOf(raw);
  if (linkSchedule !== undefined) structures.linkSchedule = linkSchedule;
  const linkCourse = courseSeriesOf(raw);
  if (linkCourse !== undefined) structures.linkCourse = linkCourse;
  const firstFlight = firstFlightOf(evidence.protocol, raw);
  if (firstFlight !== undefined) structures.firstFlight = firstFlight;
  const share = protocolShare(objects);
  if (share !== undefined) structures.protocolShare = share;
  // Of a journey's pages only the last would be told.
  const tells = raw.outcome === 'completed' && evidence.workload.kind !== 'journey';
  const stages = tells ? stagesOf(evidence) : undefined;
  if (stages !== undefined) structures.stagesMs = stages;
  const cpu = cpuSecondsByProcess(raw.cpu);
  if (cpu !== undefined) structures.cpuSecondsByProcess = cpu;
  return structures;
}

/**
 * A trial that reached its deadline keeps only what its comparison needs: times count as `deadlineMs`, rates as
 * `bytesSoFar` over it, every other metric is missing. The series and the version of IP stay for the report.
 */
function atDeadline(
  evidence: TrialEvidence,
  objects: readonly NetworkObject[],
  judgement: Judgement,
  structures: TrialMetrics,
): DerivedTrial {
  const { raw } = evidence;
  const comparable = { deadlineMs: raw.deadlineMs, bytesSoFar: bytesCarried(evidence, objects) };
  const family = connectFamily(evidence);
  const { metrics, warnings } = soundMetrics(Object.assign(structures, comparable, family.metrics));
  const ofPath = raw.session?.kind === 'video' ? unplayablePath(raw.session) : [];
  return {
    ...judgement,
    metrics,
    warnings: [...judgement.warnings, ...family.warnings, ...warnings, ...ofPath],
  };
}
