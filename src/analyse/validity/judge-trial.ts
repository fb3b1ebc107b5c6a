import { publicOrigin } from '../../core/model/app-under-test.ts';
import type { TrialEvidence } from '../../core/model/derive.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { abandonedUrls } from '../../core/model/session.ts';
import { isUsersPage } from '../../core/model/workload.ts';
import type { ReasonCode } from '../../core/model/reasons.ts';
import type { TrialStatus } from '../../core/model/record.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { appFindings, appWarnings, endsOfApp, judgedObjects, unendedFindings } from './app-rules.ts';
import { judgeCounters } from './counter-rules.ts';
import type { Finding } from './finding.ts';
import { mediaFindings, mediaWarnings } from './media-rules.ts';
import { messageFindings, messageWarnings } from './message-rules.ts';
import {
  cacheFindings,
  documentFindings,
  failureFindings,
  harFindings,
  hiddenProtocolWarnings,
  serviceWorkerWarnings,
  ledOnWarnings,
  protocolFindings,
  tcpOnlyWarnings,
} from './object-rules.ts';
import { journeyFindings, journeyWarnings } from './journey-rules.ts';
import { expectationFindings, expectationWarnings } from './expectation-rules.ts';
import { missFindings, missWarnings } from './miss-rules.ts';
import { networkChangeFindings } from './network-change.ts';
import { outcomeFindings } from './outcome-rules.ts';
import { secondVisitFindings } from './second-visit-rules.ts';
import { withoutUnmeasured } from './unmeasured-rules.ts';
import { cipherFindings, serverLogFindings } from './server-log-rules.ts';
import { discoveryFindings } from './discovery-rules.ts';
import { familyFindings } from './family-rules.ts';
import { judgeTransports } from './transport-rules.ts';
import { relayFindings } from './relay-rules.ts';
import { underWayFindings } from './under-way-rules.ts';
import { uploadFindings } from './upload-rules.ts';
import { upstreamFindings } from './upstream-rules.ts';
import { priorityFindings } from './priority-rules.ts';
import { cpuFindings } from './cpu-rules.ts';
import { flightFindings } from './flight-rules.ts';
import { queueFindings } from './queue-rules.ts';
import { proveSession } from './session-proof.ts';
import type { SessionProof } from './session-proof.ts';

export interface Judgement {
  readonly status: TrialStatus;
  /** For every status but `ok`: what decided it. */
  readonly reason?: string;
  readonly reasonCode?: ReasonCode;
  /** Of all further findings, each code once; absent: there are none. */
  readonly otherReasonCodes?: readonly ReasonCode[];
  readonly warnings: readonly string[];
}

/** Further findings named one by one with the one that decided. */
const namedFindings = 10;

/**
 * Whether a trial counts. What did not run to its end is `failed`; of what ran, one object over another protocol,
 * one failed object or one missing log entry is `invalid`.
 */
export function judgeTrial(evidence: TrialEvidence, loaded: readonly NetworkObject[]): Judgement {
  const objects = judgedObjects(evidence.workload, loaded);
  const { findings: counterFindings, warnings } = judgeCounters(evidence.raw.counters);
  const outcome = outcomeFindings(evidence);
  const protocol = protocolFindings(evidence.protocol, objects, evidence.workload.live);
  // At the deadline objects under way are cut off and the log is not complete, but the protocol must be the arm's all
  // the same: a fallback must not enter the comparison as a slow trial.
  if (evidence.raw.outcome === 'deadline') return verdict([...protocol, ...outcome], warnings);
  const proof = sessionProof(evidence);
  const carried = judgeTransports(evidence.protocol, evidence.raw, evidence.workload.live);
  const { kind, entry, app } = evidence.workload;
  const isJourney = kind === 'journey';
  return verdict(
    [
      ...networkChangeFindings(objects),
      ...outcome,
      ...appFindings(evidence),
      ...harFindings(evidence.har, objects),
      ...(isJourney ? [] : documentFindings(objects, isUsersPage(evidence.workload), evidence.raw.documents)),
      ...protocol,
      ...arrivalFindings(evidence, objects.filter(endsOfApp(evidence.raw.app))),
      ...underWayFindings(evidence),
      ...expectationFindings(evidence, objects),
      ...proofFindings(evidence, objects),
      ...upstreamFindings(evidence.raw),
      ...discoveryFindings(evidence.raw),
      ...familyFindings(evidence.raw),
      ...priorityFindings(evidence.raw),
      ...flightFindings(evidence.protocol, evidence.raw),
      ...cpuFindings(evidence.raw),
      ...queueFindings(evidence.protocol, evidence.raw),
      ...carried.findings,
      ...(proof?.findings ?? []),
      ...counterFindings,
    ],
    [
      ...warnings,
      ...carried.warnings,
      ...mediaWarnings(evidence.raw.session),
      ...messageWarnings(evidence.raw),
      ...(proof?.warnings ?? []),
      ...missWarnings(evidence, objects),
      ...expectationWarnings(evidence, objects),
      ...appWarnings(evidence, loaded),
      ...tcpOnlyWarnings(objects, evidence.workload.live),
      ...hiddenProtocolWarnings(objects),
      ...serviceWorkerWarnings(evidence.har),
      ...droppedWarnings(evidence),
      ...(isJourney ? journeyWarnings(evidence, objects) : []),
      ...(isJourney ? [] : ledOnWarnings(objects, askedFor(entry, app), evidence.raw.documents)),
    ],
  );
}

/** The address of a page of the user's, as browsers know it; undefined of others. */
function askedFor(
  entry: TrialEvidence['workload']['entry'],
  app: TrialEvidence['workload']['app'],
): string | undefined {
  if ('url' in entry) return entry.url;
  return app === undefined ? undefined : publicOrigin(entry, app.route.port) + entry.path;
}

/** Whether all came that should, from where it should; later pages of a journey may come out of the cache. */
function arrivalFindings(
  { protocol, raw, workload }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  const { kind, replay, view } = workload;
  const missed = replay === undefined ? [] : missFindings(replay, raw.ledger, objects);
  if (kind === 'journey') return [...journeyFindings(objects, workload), ...missed];
  return [
    ...(replay === undefined ? failureFindings(wanted(raw, objects), workload) : missed),
    ...(view === 'repeat' ? secondVisitFindings(protocol, raw.serverLog, objects) : cacheFindings(objects)),
  ];
}

/** Without what a player or a download gave up under way, which is its own to do. */
function wanted({ session }: RawTrial, objects: readonly NetworkObject[]): readonly NetworkObject[] {
  const abandoned = new Set(abandonedUrls(session));
  return objects.filter(({ url }) => !abandoned.has(url));
}

/** Of servers of ours the log has what a timeline dropped. */
function droppedWarnings({ raw: { timelines = [] }, workload: { live } }: TrialEvidence): readonly string[] {
  const dropped = timelines.reduce((sum, { droppedEntries }) => sum + (droppedEntries ?? 0), 0);
  if (live === undefined || dropped === 0) return [];
  return [`the browser dropped ${dropped} entries of its timeline: counts and bytes may fall short`];
}

/** What player and server agree about; undefined for what is no DASH session, or was not logged. */
export function sessionProof({ raw, workload, path }: TrialEvidence): SessionProof | undefined {
  const { session, serverLog } = raw;
  if (session?.kind !== 'video' || serverLog === null || workload.loggedHosts.length === 0) return undefined;
  return proveSession(session, serverLog, path);
}

function proofFindings(
  { protocol, raw, workload }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly Finding[] {
  const measured = withoutUnmeasured(protocol, raw.session, raw.serverLog);
  // A player may ask again for what it gave up, a download does not.
  const proven = raw.session?.kind === 'download' ? wanted(raw, objects) : objects;
  // How far an answer came that never ends, neither end says alike.
  const ends = endsOfApp(raw.app);
  const log = measured.log?.filter(ends) ?? null;
  return [
    ...measured.findings,
    ...serverLogFindings(
      protocol,
      { ...workload, abandonedUrls: abandonedUrls(raw.session) },
      log,
      proven.filter(ends),
    ),
    ...unendedFindings(protocol, measured.log?.filter((entry) => !ends(entry)) ?? []),
    ...cipherFindings(raw.testbed?.server.cipher, raw.serverLog),
    ...mediaFindings(protocol, raw.session, workload.loggedHosts, measured.log),
    ...messageFindings(protocol, raw),
    ...relayFindings(raw),
    ...uploadFindings(protocol, raw, workload.upload),
  ];
}

/** The first finding decides; the others are named in warnings. */
function verdict(findings: readonly Finding[], warnings: readonly string[]): Judgement {
  const [first, ...others] = findings;
  if (first === undefined) return { status: 'ok', warnings };
  const named = others.slice(0, namedFindings).map(({ reason }) => `also: ${reason}`);
  const unnamed = others.length - named.length;
  return {
    ...first,
    ...(others.length > 0 && { otherReasonCodes: [...new Set(others.map(({ reasonCode }) => reasonCode))] }),
    warnings: [...named, ...(unnamed > 0 ? [`also: ${unnamed} more findings`] : []), ...warnings],
  };
}
