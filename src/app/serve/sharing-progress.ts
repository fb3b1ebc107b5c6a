import { describeSample } from '../../analyse/statistics/quantile.ts';
import { leasesOf, type Lease } from '../../core/model/lease.ts';
import type { HostProgress, LostLease, SharingProgress } from '../../core/model/run-progress.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Names } from '../../core/model/names.ts';
import type { Plan } from '../../core/model/plan.ts';
import { hasReason } from '../../core/model/reasons.ts';
import { endOfRecord, type TrialRecord } from '../../core/model/record.ts';
import { lostLeases, neededLeases } from '../workers/needed-leases.ts';

/** What is to be told of machines that share a run. */
export interface SharedProgress {
  readonly plan: Plan;
  readonly records: ReadonlyMap<string, TrialRecord>;
  readonly names: Names;
}

interface StandingLease {
  readonly lease: Lease;
  readonly records: readonly TrialRecord[];
  readonly host: string | undefined;
  readonly state: 'waiting' | 'under-way' | 'done' | 'lost';
}

/** How the machines of a run get on, from its journal alone; undefined where one machine runs all of it. */
export function sharingOf({ plan, records, names }: SharedProgress): SharingProgress | undefined {
  const hosts = new Set([...records.values()].flatMap(({ host }) => host ?? []));
  if (plan.queue === undefined && hosts.size < 2) return undefined;
  const all = leasesOf(plan);
  const { needed, idle } = neededLeases(all, plan.repetitions, records);
  const lost = lostLeases(all, records);
  const leases = needed.map((lease) => standing(lease, records, lost));
  return {
    needed: needed.length,
    done: leases.filter(({ state }) => state === 'done').length,
    underWay: leases.filter(({ state }) => state === 'under-way').length,
    spareLeft: idle.length,
    hosts: [...hosts].toSorted().map((host) => hostOf(host, leases, plan, names)),
    lostLeases: leases.filter(({ state }) => state === 'lost').map(lostOne),
  };
}

function standing(
  lease: Lease,
  all: ReadonlyMap<string, TrialRecord>,
  lost: ReadonlySet<string>,
): StandingLease {
  const records = lease.trials.flatMap(({ trialId }) => all.get(trialId) ?? []);
  const host = records.find((record) => record.host !== undefined)?.host;
  const begun = records.length === 0 ? 'waiting' : 'under-way';
  const open = records.length === lease.trials.length ? 'done' : begun;
  return { lease, records, host, state: lost.has(lease.leaseId) ? 'lost' : open };
}

function lostOne({ lease, records, host }: StandingLease): LostLease {
  const { reasonFacts } = records.find((record) => hasReason(record, 'lease-lost')) ?? {};
  return { leaseId: lease.leaseId, host: host ?? null, reason: String(reasonFacts?.['why'] ?? '') };
}

function hostOf(host: string, leases: readonly StandingLease[], plan: Plan, names: Names): HostProgress {
  const own = leases.filter((lease) => lease.host === host);
  const count = (state: StandingLease['state']): number =>
    own.filter((lease) => lease.state === state).length;
  const ran = own.flatMap(({ records }) => records).filter(({ status }) => status !== 'not-run');
  const ok = ran.filter(({ status }) => status === 'ok');
  return {
    host,
    leasesDone: count('done'),
    leasesUnderWay: count('under-way'),
    leasesLost: count('lost'),
    ok: ok.length,
    lost: ran.length - ok.length,
    lastAt: new Date(Math.max(0, ...ran.map(endOfRecord))).toISOString(),
    medians: mediansOf(ok, plan, names),
  };
}

function mediansOf(ok: readonly TrialRecord[], plan: Plan, names: Names): HostProgress['medians'] {
  const kinds = new Map(plan.workloads.map(({ id, kind }) => [id, kind]));
  const groups = Map.groupBy(ok, ({ workload, client, network, server, arm }) =>
    JSON.stringify([workload, client, network, server, arm]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const kind = first && kinds.get(first.workload);
    const metric = (kind && plan.primary[kind]) ?? '';
    const { median } = describeSample(group.flatMap(({ metrics }) => numericMetric(metrics, metric) ?? []));
    if (first === undefined || kind === undefined || median === null) return [];
    const what = [
      names.workload(first.workload, kind),
      names.client(first.client),
      names.network(first.network),
    ];
    return { what: what.join(' · '), arm: first.arm, median, unit: metricDefinition(metric)?.unit ?? '' };
  });
}
