import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { coursesOf } from '../../../harness/network/path-schedules.ts';
import { tracesOf } from '../../../harness/network/path-traces.ts';
import { carriedMbps, expectedMbps } from '../../../harness/network/transfer-timeout.ts';
import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { testbedKey, testbedRequestOf } from '../../../harness/testbed/testbed-request.ts';
import { withLinkFactors } from '../../core/factors/link-factors.ts';
import { factors } from '../../core/factors/registry.ts';
import { isAppliedBy, valuesFor, valuesOf } from '../../core/factors/values.ts';
import { congestionKind } from '../../core/model/congestion-kind.ts';
import { leasesOf, shardOfLease } from '../../core/model/lease.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import type { Workload, WorkloadKind } from '../../core/model/workload.ts';
import { scaleNames, type ScaleName } from '../../plan/plan-file.ts';
import { presetNamed } from '../presets/registry.ts';
import { formatDuration } from '../duration.ts';
import { warmUpMs, warmUpsOf } from './warm-ups.ts';
import { contentOf } from './arm-addresses.ts';
import { planFromRequest, readPlanRequest, type PlannedWork } from './plan-request.ts';

interface ExpectedLink {
  readonly roundTripMs: number;
  /** Of a sender that slows down on loss; infinite where neither rate nor loss bounds it. */
  readonly mbps: number;
  /** Of one that does not. */
  readonly carriedMbps: number;
  /** Of a client that slows down on loss. */
  readonly upMbps: number;
}

/** Round trips that one trial waits for: connections, requests one after the other, the start of sending. */
const roundTrips: Readonly<Record<WorkloadKind, number>> = {
  page: 14,
  journey: 40,
  video: 6,
  download: 10,
  upload: 10,
  messages: 8,
};
/** Each testbed is set up, and its shaped path measured, before its first use (11 to 12 s on two quiet CPUs). */
const testbedMs = 11_500;
/** The same where the path is checked quickly. */
const quickTestbedMs = 2_500;

async function expectedLink(spec: NetworkSpec): Promise<ExpectedLink> {
  const changes = { traces: await tracesOf(spec), courses: await coursesOf(spec) };
  return {
    roundTripMs: spec.up.delayMs + spec.down.delayMs,
    mbps: expectedMbps(spec, changes),
    carriedMbps: carriedMbps(spec, changes),
    upMbps: expectedMbps(spec, changes, 'up'),
  };
}

/** Whether the congestion control towards the client hardly slows down on loss, by what its algorithms are known to do. */
function bearsLoss({ factors, server }: PlannedTrial): boolean {
  const { proxy: [front] = [], congestion: [asked] = [] } = valuesOf(factors);
  const sender = front === undefined ? serverNamed(server) : proxyNamed(front);
  if (factors.protocol === 'h3' && sender?.quicBearsLoss === true) return true;
  // Unasked TCP is paired with what the server's QUIC runs.
  return congestionKind(asked ?? sender?.quicCongestionControls[0] ?? '') === 'bbr';
}

/** What a trial of this workload takes over these links, ms. */
function overLinks(workload: Workload, links: readonly ExpectedLink[], sharedBy: number): number {
  const { bytes, withinMs } = workload.transfer ?? { bytes: workload.facts.wireBytes ?? 0, withinMs: 0 };
  const transferMs = (sharedBy * bytes * 8) / 1000 / Math.min(Infinity, ...links.map(({ mbps }) => mbps));
  const waitsMs = roundTrips[workload.kind] * links.reduce((sum, { roundTripMs }) => sum + roundTripMs, 0);
  return workload.expectedTrialMs + Math.max(0, transferMs - withinMs) + waitsMs;
}

const linkFactors = factors.filter((factor) => isAppliedBy(factor, ['link']));

/** The same for trials that set a link of this network alike. */
function linkKey(network: string, { factors: texts }: PlannedTrial): string {
  return [network, ...linkFactors.map(({ id }) => texts[id] ?? '')].join('\u0000');
}

/**
 * Time that each trial of a plan should take, ms: what its workload estimates, and what its path adds by rate, mean of its
 * trace, delay, and loss as a loss-based sender bears it.
 */
export async function expectedTrialTimes({
  plan,
  workloads,
}: Pick<PlannedWork, 'plan' | 'workloads'>): Promise<(trial: PlannedTrial) => number> {
  const specs = new Map([...networkSpecs, ...(plan.customNetworks ?? [])].map((spec) => [spec.id, spec]));
  const expected = new Map<string, ExpectedLink>();
  for (const trial of oneOfEach(plan.trials))
    for (const id of trial.network.split('/')) {
      const spec = specs.get(id);
      const key = linkKey(id, trial);
      if (spec === undefined || expected.has(key)) continue;
      const asSet = withLinkFactors(spec, valuesFor(['link'], trial.factors));
      expected.set(key, await expectedLink(asSet));
    }
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const timeOf = (trial: PlannedTrial): number => {
    const workload = byId.get(contentOf(trial));
    const over = trial.network.split('/').flatMap((id) => expected.get(linkKey(id, trial)) ?? []);
    if (workload === undefined) return unknownTrialMs;
    const startMs = startsBrowser(trial) ? 0 : browserStartMs;
    const isUp = workload.transfer?.goes === 'up';
    const mbpsOf = (link: ExpectedLink): number => {
      if (isUp) return link.upMbps;
      return bearsLoss(trial) ? link.carriedMbps : link.mbps;
    };
    const links = over.map((link) => ({ ...link, mbps: mbpsOf(link) }));
    return overLinks(workload, links, 1 + (valuesOf(trial.factors).competingflows?.count ?? 0)) - startMs;
  };
  const times = new Map(oneOfEach(plan.trials).map((trial) => [sameIn(trial), timeOf(trial)]));
  return (trial) => times.get(sameIn(trial)) ?? timeOf(trial);
}

/** What trials have in common that differ in their block alone. */
const sameIn = ({ conditionId, arm }: PlannedTrial): string => `${conditionId}\u0000${arm}`;

/** A trial of each arm under each condition. */
function oneOfEach(trials: readonly PlannedTrial[]): readonly PlannedTrial[] {
  return [...new Map(trials.map((trial) => [sameIn(trial), trial])).values()];
}

/**
 * What a download's estimate has in it for the start and end of a browser, which a command-line client has not: from one of
 * its trials to the next 0.25 to 0.4 s pass apart from the transfer, on two quiet CPUs.
 */
const browserStartMs = 1150;
const startsBrowser = ({ client }: PlannedTrial): boolean => commandClientNamed(client) === undefined;

/** Of a workload that cannot be estimated. */
const unknownTrialMs = 5_000;

/** Time that a plan's trials, its discarded warm-ups and the checks of its paths take, ms. */
export async function expectedMs(work: PlannedWork): Promise<number> {
  return timeOfTrials(work.plan, await expectedTrialTimes(work));
}

/** The same for these trials of a plan, where the time of each is known. */
export function timeOfTrials(
  { trials, quickStart }: Pick<Plan, 'quickStart'> & { readonly trials: readonly PlannedTrial[] },
  timeOf: (trial: PlannedTrial) => number,
): number {
  const testbeds = new Set(
    oneOfEach(trials)
      .filter(({ network }) => network !== 'loopback')
      .map((trial) => testbedKey(testbedRequestOf(trial))),
  );
  const warmUps = quickStart === true ? [] : warmUpsOf(trials);
  const warmUpsMs = warmUps.reduce((sum, trial) => sum + Math.min(timeOf(trial), warmUpMs), 0);
  const testbedsMs = testbeds.size * (quickStart === true ? quickTestbedMs : testbedMs);
  return trials.reduce((sum, trial) => sum + timeOf(trial), testbedsMs + warmUpsMs);
}

/** Time of the host that is done last, ms, where the plan is parted over so many; undefined where some would have nothing to run. */
export function timeOnHosts(
  plan: Plan,
  timeOf: (trial: PlannedTrial) => number,
  hosts: number,
): number | undefined {
  const byHost = Map.groupBy(leasesOf(plan), (lease) => shardOfLease(lease, hosts).index);
  if (byHost.size < hosts) return undefined;
  const times = [...byHost.values()].map((leases) =>
    timeOfTrials({ ...plan, trials: leases.flatMap(({ trials }) => trials) }, timeOf),
  );
  return times.reduce((most, time) => Math.max(most, time), 0);
}

/** A line for each scale of a study's preset: conditions, trials, time. Empty for everything else. */
export async function scaleTimes(source: string | undefined): Promise<string[]> {
  const preset = presetNamed(source);
  if (preset?.scales === undefined) return [];
  return Promise.all(scaleNames.map((scale) => lineOf(preset.id, scale)));
}

/** Time that a study's preset should take at this scale, ms. */
export function expectedStudyMs(preset: string, scale: ScaleName): Promise<number> {
  return expectedMs(planFromRequest(readPlanRequest(preset, { scale }), ''));
}

async function lineOf(id: string, scale: ScaleName): Promise<string> {
  const work = planFromRequest(readPlanRequest(id, { scale }), '');
  const { conditions, repetitions, trials } = work.plan;
  const about = formatDuration(await expectedMs(work));
  return `--scale ${scale}: ${conditions.length} condition${conditions.length === 1 ? '' : 's'}, ${repetitions} blocks, ${trials.length} trials, about ${about}`;
}
