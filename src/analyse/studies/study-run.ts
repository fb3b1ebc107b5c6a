import {
  virtualWords,
  type Environment,
  type OtherHost,
  type PathCheckKind,
} from '../../core/model/environment.ts';
import { disturbancesAmong, kindOfCheck } from '../../core/model/before-codes.ts';
import { nameTable, namesFrom } from '../../core/model/names.ts';
import type { Plan } from '../../core/model/plan.ts';
import { knownCode, reasonTexts } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { LostTrials, RawRate, StudyRun } from '../../core/model/study-run.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { recordsInOrder } from '../comparison/trial-table.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import { claimDigest, judgingRule } from './claim-digest.ts';
import type { OverheadBound } from './compare-published.ts';
import type { PublishedPlace } from './published-places.ts';
import type { MeasuredRun } from './published-results.ts';
import { studyCells } from './study-cells.ts';

/** Counters of the qlog probe: how often the server's congestion control changed its state. */
const transitionPrefix = 'quicTransition:';

export interface RunOfStudy {
  readonly plan: Plan;
  readonly table: TrialTable;
  readonly environment: Environment | null;
  readonly comparisons: readonly Comparison[];
}

/** What is kept of a run of a study. */
export function studyRunOf(
  { plan, table, environment, comparisons }: RunOfStudy,
  { run, trials, firstFlights = [] }: Pick<Summary, 'run' | 'trials' | 'firstFlights'>,
): StudyRun {
  const transitions = transitionsOf(table);
  const parts = machineParts(environment);
  return {
    schemaVersion: 1,
    preset: plan.name,
    scale: plan.scale ?? null,
    claims: (plan.published ?? []).map((claim) => claimDigest(claim)),
    rule: judgingRule,
    ...(environment !== null && { setUp: setUpOf(plan, environment, firstFlights) }),
    rawRates: environment?.networks.flatMap(rawRateOf) ?? [],
    revision: environment?.h2h3.gitRevision ?? null,
    startedAt: run.startedAt,
    trialsOk: trials.ok,
    trialsPlanned: plan.trials.length,
    trialsDone: trials.ok + trials.invalid + trials.failed + trials.unsupported,
    lostByArm: lostByArm(table),
    exploratory: plan.exploratory,
    disturbances: environment?.disturbances ?? disturbancesAmong(environment?.warnings ?? []),
    timed: plan.trials.some(({ instrumentation }) => instrumentation === 'uninstrumented'),
    blocks: Math.max(0, ...comparisons.map(({ blocks }) => blocks)),
    spanMs: run.spanMs,
    clients: environment?.clients.map(({ name, version }) => `${name} ${version}`) ?? [],
    machine: parts.join(' · '),
    machineParts: parts,
    names: nameTable({ workloads: plan.workloads, environment }),
    arms: plan.arms.map(({ label }) => label),
    cells: studyCells(table, plan.arms),
    instrumentationOverhead: overheadOf(comparisons),
    ...(Object.keys(transitions).length > 0 && { transitions }),
  };
}

/** As the environment has it; without what a run did not record. */
function setUpOf(
  { seed }: Plan,
  { machine, pinning, node }: Environment,
  firstFlights: NonNullable<Summary['firstFlights']>,
): NonNullable<StudyRun['setUp']> {
  const { kernel, memoryBytes, governor } = machine;
  const { browserCpus, serverCpus } = pinning;
  return {
    seed,
    kernel,
    memoryBytes,
    governor,
    browserCpus,
    serverCpus,
    node,
    firstFlights: firstFlights.map(({ client, network, server, arm, packets }) => ({
      client,
      network,
      server,
      arm,
      packets,
    })),
  };
}

/** What published results are compared with, from what is kept of a run. */
export function measuredRun(kept: StudyRun): MeasuredRun {
  return {
    cells: kept.cells,
    arms: kept.arms,
    names: namesFrom(kept.names),
    boundOf: boundsOf(kept.instrumentationOverhead),
    scale: kept.scale,
    blocks: kept.blocks,
    blockMs: kept.spanMs === null || kept.blocks === 0 ? null : kept.spanMs / kept.blocks,
    machine: kept.machine,
  };
}

function overheadOf(comparisons: readonly Comparison[]): StudyRun['instrumentationOverhead'] {
  const places = comparisons.flatMap(
    ({ workload, network, client, server, baseline, candidate, instrumentationOverhead }) =>
      instrumentationOverhead === undefined
        ? []
        : [
            {
              workload,
              network,
              client,
              server,
              baseline: baseline.arm,
              candidate: candidate.arm,
              bound: Math.log1p(instrumentationOverhead.bound),
            },
          ],
  );
  // Every metric of a place has the same bound: one is enough.
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function boundsOf(known: StudyRun['instrumentationOverhead']): OverheadBound {
  const boundOfPair = ([{ cells: baselines }, { cells: candidates }]: PublishedPlace['compare']):
    number | undefined => {
    const [baseline] = baselines;
    const [candidate] = candidates;
    if (baseline === undefined || candidate === undefined) return undefined;
    const workload = baselines.length > 1 ? pooledWorkload : baseline.workload;
    return known.find(
      (place) =>
        place.workload === workload &&
        place.network === baseline.network &&
        place.client === baseline.client &&
        place.server === baseline.server &&
        // A bound of the logarithm is the same either way round.
        ((place.baseline === baseline.arm && place.candidate === candidate.arm) ||
          (place.baseline === candidate.arm && place.candidate === baseline.arm)),
    )?.bound;
  };
  return ({ compare, against }) => {
    const bounds = [compare, ...(against === undefined ? [] : [against])].map(boundOfPair);
    return bounds.includes(undefined)
      ? undefined
      : bounds.reduce<number>((sum, bound) => sum + (bound ?? 0), 0);
  };
}

/** None for a path of which no rate was measured. */
function rawRateOf({ id, checks }: Environment['networks'][number]): RawRate[] {
  const rateOf = (kind: PathCheckKind): number | null =>
    checks.find((check) => check.direction === 'down' && kindOfCheck(check) === kind)?.measured ?? null;
  const udpMbps = rateOf('udp-rate');
  const tcpMbps = rateOf('tcp-rate');
  return udpMbps === null && tcpMbps === null ? [] : [{ network: id, udpMbps, tcpMbps }];
}

function lostByArm(table: TrialTable): LostTrials[] {
  const ran = recordsInOrder(table).filter(({ status }) => status !== 'not-run');
  return [...Map.groupBy(ran, ({ arm }) => arm)].flatMap(([arm, records]) => {
    const lost = records.filter(({ status }) => status !== 'ok');
    const again = records.filter(({ earlierTries }) => earlierTries !== undefined).length;
    if (lost.length + again === 0) return [];
    const why = [...new Set(lost.map(kindOfLoss))];
    return [
      {
        arm,
        lost: lost.length,
        of: records.length,
        ...(why.length > 0 && { why: why.join(' and ') }),
        ...(again > 0 && { again }),
      },
    ];
  });
}

/** Without figures, but for errors, of which the code says nothing: they, and codes of newer versions, are told as they were. */
function kindOfLoss({ reasonCode, reason = 'no reason given' }: TrialRecord): string {
  const code = knownCode(reasonCode);
  return code === undefined || code === 'trial-error' ? reason : reasonTexts[code];
}

function transitionsOf(table: TrialTable): Record<string, Record<string, number>> {
  const byArm: Record<string, Record<string, number>> = {};
  for (const { arm, counters = {} } of recordsInOrder(table))
    for (const [name, count] of Object.entries(counters)) {
      if (!name.startsWith(transitionPrefix)) continue;
      const ofArm = (byArm[arm] ??= {});
      const transition = name.slice(transitionPrefix.length);
      ofArm[transition] = (ofArm[transition] ?? 0) + count;
    }
  return byArm;
}

const cpuWords = ({ machine: { cpuModel, cpuCount } }: OtherHost): string => `${cpuModel}, ${cpuCount} CPUs`;

/** The machine, clients, servers and paths, each once: a server was started anew for each setting. */
function machineParts(environment: Environment | null): string[] {
  if (environment === null) return ['unknown: environment.json is missing'];
  const { machine, serverHost, proxyHost, clientHost, clients, servers, networks } = environment;
  const others = [
    ...(serverHost === undefined ? [] : [`the server on another: ${cpuWords(serverHost)}`]),
    ...(proxyHost === undefined ? [] : [`the proxy on another: ${cpuWords(proxyHost)}`]),
    ...(clientHost === undefined ? [] : [`the client on another: ${cpuWords(clientHost)}`]),
  ];
  const place = others.length === 0 ? 'browser and server on this one machine' : others.join(', and ');
  const parts = new Set([
    `${machine.cpuModel}, ${machine.cpuCount} CPUs${virtualWords(machine)}, ${place}`,
    ...clients.map(({ name, version, build }) => `${name} ${version} (${build})`),
    ...servers.map(
      (server) =>
        `${server.name} ${server.version} (QUIC ${server.quicCongestionControl}, TCP ${server.tcpCongestionControl})`,
    ),
    `paths: ${[...new Set(networks.map(({ backend }) => backend))].join(', ')}`,
  ]);
  return [...parts];
}
