import { H2h3Error } from '../model/errors.ts';
import { metricDefinition } from '../model/metric-catalogue.ts';
import type { NetworkSpec } from '../model/network-spec.ts';
import type { Arm, Condition, Plan, PlannedTrial } from '../model/plan.ts';
import { deriveSeed, seededRandom } from '../model/seeded-random.ts';
import type { CustomSite, Workload, WorkloadKind } from '../model/workload.ts';
import { parseArms } from './arms.ts';
import { definedNetworks, expandGrid } from './expand-grid.ts';
import { planFaults } from './faults.ts';
import type { PlanFile } from './plan-file.ts';
import { requireModestPlan } from './plan-size.ts';

/** Name of the network and the server of a live address: neither is ours. */
export const liveNetwork = 'host';
export const liveServer = 'live';

type PlannedWorkload = Pick<Workload, 'id' | 'kind' | 'title'> &
  Partial<Pick<Workload, 'facts' | 'custom' | 'view'>>;

export interface ExpandContext {
  /** Every workload that the plan names, in its order, live addresses last. */
  readonly workloads: readonly PlannedWorkload[];
  /** Ids of the workloads that are live addresses. */
  readonly liveWorkloads: ReadonlySet<string>;
  /** Primary metric per kind, unless the plan says otherwise. */
  readonly defaultPrimary: Readonly<
    Record<WorkloadKind, { readonly metric: string; readonly pooled: boolean }>
  >;
  /** Every network that has figures, beside those of the plan itself; faults change them. */
  readonly networkSpecs?: readonly NetworkSpec[];
  /** The exact command that makes this plan again. */
  readonly command: string;
}

function conditionsOf(file: PlanFile, arms: readonly Arm[], context: ExpandContext): Condition[] {
  const armClients = arms.flatMap((arm) => arm.client ?? []);
  const clients = armClients.length > 0 ? [[...new Set(armClients)].join('|')] : file.clients;
  const conditions: Condition[] = [];
  for (const { id: workload } of context.workloads) {
    const live = context.liveWorkloads.has(workload);
    for (const client of clients) {
      for (const network of live ? [liveNetwork] : file.networks) {
        for (const server of live ? [liveServer] : file.servers) {
          const conditionId = `c${String(conditions.length).padStart(2, '0')}`;
          conditions.push({ conditionId, workload, client, network, server });
        }
      }
    }
  }
  return conditions;
}

/** Room for the name of a workload in a file name; the condition tells apart what is cut. */
const longestWorkload = 80;

/** A name that is safe in every file system. */
function fileSafe(text: string): string {
  return text.replace(/[^\w.-]+/g, '_');
}

function blockTrials(
  conditions: readonly Condition[],
  arms: readonly Arm[],
  seed: number,
  blockIndex: number,
): PlannedTrial[] {
  const random = seededRandom(deriveSeed(seed, 'order', blockIndex));
  return random.shuffle(conditions).flatMap((condition) =>
    random.shuffle(arms).map((arm) => ({
      trialId: `b${String(blockIndex).padStart(3, '0')}-${condition.conditionId}-${fileSafe(condition.workload).slice(0, longestWorkload)}-${fileSafe(arm.label)}`,
      conditionId: condition.conditionId,
      blockIndex,
      arm: arm.label,
      workload: condition.workload,
      client: arm.client ?? condition.client,
      network: condition.network,
      server: condition.server,
      blockSeed: deriveSeed(seed, 'block', condition.conditionId, blockIndex),
    })),
  );
}

function pagesOf(workloads: readonly PlannedWorkload[]): readonly PlannedWorkload[] {
  return workloads.filter(({ kind }) => kind === 'page');
}

/** Both views of a site are made from the same. */
function customSitesOf(workloads: readonly PlannedWorkload[]): CustomSite[] {
  const sites = workloads.flatMap(({ custom }) => custom ?? []);
  return [...new Map(sites.map((site) => [site.id, site])).values()];
}

/** A page's facts go with it: the report describes the corpus by them. */
function plannedWorkload({ id, kind, title, facts, view }: PlannedWorkload): Plan['workloads'][number] {
  // What a second visit asks for is known only when it has been made.
  if (view === 'repeat') return { id, kind, title, view };
  if (kind !== 'page' || facts === undefined) return { id, kind, title };
  const { objectCount, wireBytes, hostCount, types } = facts;
  const known = Object.entries({ objectCount, wireBytes, hostCount, types }).filter(
    ([, value]) => value !== undefined,
  );
  return known.length === 0 ? { id, kind, title } : { id, kind, title, facts: Object.fromEntries(known) };
}

/**
 * The whole plan: conditions crossed, and every block's trials in the seeded random order in which they run.
 * One block of every condition comes before the next block of any, so that drift hits all conditions alike.
 *
 * @throws H2h3Error `usage` when the plan makes no sense (fewer than one arm, repeated conditions).
 */
export function expandPlan(file: PlanFile, context: ExpandContext): Plan {
  const arms = parseArms(file.arms);
  requireModestPlan(file, {
    namesClients: arms.some(({ client }) => client !== undefined),
    workloads: context.workloads.length,
    liveWorkloads: context.liveWorkloads.size,
  });
  const conditions = conditionsOf(file, arms, context);
  const seen = new Set<string>();
  const repeated = conditions
    .map((c) => [c.workload, c.client, c.network, c.server].join('\u0000'))
    .find((key) => seen.size === seen.add(key).size);
  if (repeated !== undefined) {
    throw new H2h3Error('usage', `the plan names a condition twice: ${repeated.split('\u0000').join(' · ')}`);
  }
  const own = definedNetworks(file);
  const faulty = planFaults(file.inject, arms, conditions, [...own, ...(context.networkSpecs ?? [])]);
  const defined = [...own, ...faulty.networks];
  const repetitions = file.looks?.at(-1) ?? file.repetitions;
  const customSites = customSitesOf(context.workloads);
  const bothViews = new Set(pagesOf(context.workloads).map(({ view }) => view ?? 'cold')).size > 1;
  const kinds = new Set(context.workloads.map((workload) => workload.kind));
  const primary: Partial<Record<WorkloadKind, string>> = {};
  const pooled: Partial<Record<WorkloadKind, boolean>> = {};
  for (const kind of kinds) {
    const metric = file.primary[kind] ?? context.defaultPrimary[kind].metric;
    primary[kind] = metric;
    // A pool is a mean of ratios; what is compared by difference has none, so each workload is judged by itself.
    const hasRatio = metricDefinition(metric)?.form === 'ratio';
    // First and second visits are different things: a mean over both would tell of neither.
    const byDefault = context.defaultPrimary[kind].pooled && !(kind === 'page' && bothViews);
    pooled[kind] = hasRatio && (file.pooled[kind] ?? byDefault);
  }
  return {
    schemaVersion: 1,
    name: file.name,
    seed: file.seed,
    command: context.command,
    arms,
    repetitions,
    ...(file.looks ? { looks: file.looks } : {}),
    exploratory: file.exploratory,
    primary,
    pooled,
    margins: file.margins,
    probes: file.probes,
    urls: file.urls,
    ...(customSites.length > 0 ? { customSites } : {}),
    ...(defined.length > 0 ? { customNetworks: defined } : {}),
    ...(file.allowCongestionMismatch ? { allowCongestionMismatch: true } : {}),
    ...(faulty.faults.length > 0 ? { faults: [...faulty.faults] } : {}),
    ...(file.grid ? { grid: expandGrid(file.grid).grid } : {}),
    ...(file.published.length > 0 ? { published: file.published } : {}),
    workloads: context.workloads.map(plannedWorkload),
    conditions,
    trials: Array.from({ length: repetitions }, (_, block) =>
      blockTrials(conditions, arms, file.seed, block),
    ).flat(),
  };
}
