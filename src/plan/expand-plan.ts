import type { Audience } from '../core/model/audience.ts';
import { H2h3Error } from '../core/model/errors.ts';
import { parseBudget } from '../core/metrics/budget.ts';
import { differingFactors } from '../core/factors/registry.ts';
import { byArm } from '../core/model/factor.ts';
import { metricDefinition } from '../core/metrics/registry.ts';
import type { NetworkSpec } from '../core/model/network-spec.ts';
import type { Arm, Condition, Plan } from '../core/model/plan.ts';
import type { CustomSite, View, Workload, WorkloadKind } from '../core/model/workload.ts';
import { liveNetwork, liveServer } from '../core/model/live-address.ts';
import { parseArms } from './arms.ts';
import { factorsOfCondition } from './audience/with-audience.ts';
import { instrumentedBlocksIn, trialsOfBlocks, type BlockCounts, type OpenCondition } from './blocks.ts';
import { definedNetworks, expandGrid } from './expand-grid.ts';
import { faultyNetworks, withFaults } from './faults.ts';
import type { PlanFile } from './plan-file.ts';
import { requireModestPlan } from './plan-size.ts';

type PlannedWorkload = Pick<Workload, 'id' | 'kind' | 'title'> &
  Partial<Pick<Workload, 'facts' | 'custom' | 'view' | 'applies' | 'decidedBy'>>;

export interface ExpandContext {
  /** Every workload that the plan names, in its order, live addresses last. */
  readonly workloads: readonly PlannedWorkload[];
  /** Ids of the workloads that are live addresses. */
  readonly liveWorkloads: ReadonlySet<string>;
  /** Primary metric per kind, unless the plan says otherwise. */
  readonly defaultPrimary: Readonly<
    Record<WorkloadKind, { readonly metric: string; readonly pooled: boolean }>
  >;
  /** Every network that has figures, besides those of the plan itself; faults change them. */
  readonly networkSpecs?: readonly NetworkSpec[];
  /** The exact command that makes this plan again. */
  readonly command: string;
  /** The user's script, where pages are driven by one. */
  readonly script?: Plan['script'];
  /** Whether a trial of this client leaves anything more when it is recorded. Default: all do. */
  readonly isInstrumented?: (client: string) => boolean;
}

/** Factors of a condition that a plan lists values of. */

type Listed = 'client' | 'network' | 'server';

/** What a plan gives for a factor that its arms leave open, and what stands in its conditions. */
interface OpenFactor {
  /** For trials of arms that do not set it; undefined where all do. */
  readonly values: readonly string[];
  readonly setByArms: boolean;
}

/** @throws H2h3Error `usage` when only some arms set a factor of which the plan lists several values */
function openFactor(name: Listed, values: readonly string[], arms: readonly Arm[]): OpenFactor {
  const setting = arms.filter(({ factors }) => factors[name] !== undefined);
  if (setting.length > 0 && setting.length < arms.length && values.length > 1)
    throw new H2h3Error(
      'usage',
      `arm "${setting[0]?.label}" sets ${name}, another does not, and the plan has several: ${values.join(', ')}`,
      { next: `Give one ${name}, or let every arm set its own.` },
    );
  return { values, setByArms: setting.length > 0 };
}

/** How many conditions `conditionsOf` will make: what arms set themselves is not crossed. */
function countConditions(file: PlanFile, arms: readonly Arm[], context: ExpandContext): number {
  const count = (name: Listed, values: readonly string[]): number =>
    arms.some(({ factors }) => factors[name] !== undefined) ? 1 : values.length;
  const live = context.liveWorkloads.size;
  const places = count('network', file.networks) * count('server', file.servers);
  const livePlaces = live * count('network', file.networks);
  return count('client', file.clients) * ((context.workloads.length - live) * places + livePlaces);
}

/** Loopback leads nowhere but here: without a network of ours a live address, or another machine, is reached over its real path. */
const towardsLive = (network: string): string => (network === 'loopback' ? liveNetwork : network);

function conditionsOf(file: PlanFile, arms: readonly Arm[], context: ExpandContext): OpenCondition[] {
  const conditions: OpenCondition[] = [];
  const client = openFactor('client', file.clients, arms);
  for (const { id: workload, kind, view = 'cold' } of context.workloads) {
    const live = context.liveWorkloads.has(workload);
    const isBeyond = live || file.hosts !== undefined;
    const networks = isBeyond ? file.networks.map(towardsLive) : file.networks;
    const network = openFactor('network', networks, arms);
    const server = openFactor('server', live ? [liveServer] : file.servers, arms);
    const once = ({ values, setByArms }: OpenFactor): readonly string[] =>
      setByArms ? values.slice(0, 1) : values;
    for (const oneClient of once(client)) {
      for (const oneNetwork of once(network)) {
        const segment = segmentAt(file, oneNetwork);
        if (segment !== undefined && !isOfSegment(segment, oneClient, kind === 'page' ? view : undefined))
          continue;
        for (const oneServer of once(server)) {
          conditions.push({
            condition: {
              conditionId: `c${String(conditions.length).padStart(2, '0')}`,
              workload,
              client: client.setByArms ? byArm : oneClient,
              network: network.setByArms ? byArm : oneNetwork,
              server: server.setByArms ? byArm : oneServer,
              ...(segment === undefined ? {} : setBy(segment)),
            },
            open: { client: oneClient, network: oneNetwork, server: oneServer },
          });
        }
      }
    }
  }
  return conditions;
}

type Segment = Audience['conditions'][number];

/** The condition of the plan's audience that has this network. */
function segmentAt({ audience }: PlanFile, network: string): Segment | undefined {
  return typeof audience === 'object'
    ? audience.conditions.find((one) => one.network === network)
    : undefined;
}

/** Each segment of an audience has a browser and a view of its own, where it names them. */
function isOfSegment({ client, view }: Segment, oneClient: string, ofPage: View | undefined): boolean {
  return (client ?? oneClient) === oneClient && (view ?? ofPage) === (ofPage ?? view);
}

function setBy(segment: Segment): Pick<Condition, 'factors'> {
  const factors = factorsOfCondition(segment);
  return Object.keys(factors).length === 0 ? {} : { factors };
}

/** Two arms written differently that come to the same are a slip; the same arm twice is an A/A run. */
function requireDistinctArms(arms: readonly Arm[], conditions: readonly OpenCondition[]): void {
  for (const { open } of conditions) {
    for (const [index, arm] of arms.entries()) {
      const twin = arms
        .slice(0, index)
        .find(
          (other) =>
            differingFactors({ ...open, ...arm.factors }, { ...open, ...other.factors }).length === 0,
        );
      if (twin === undefined || differingFactors(twin.factors, arm.factors).length === 0) continue;
      throw new H2h3Error('usage', `the arms "${twin.label}" and "${arm.label}" differ in nothing here`, {
        context: { expected: 'arms that differ in a factor, or the same arm twice for an A/A run' },
        next: `To see false alarms, name one arm twice: --arms ${twin.label},${twin.label}.`,
      });
    }
  }
}

/** @throws H2h3Error `usage` */
function requireDistinctConditions(conditions: readonly Condition[]): void {
  const seen = new Set<string>();
  const repeated = conditions
    .map((c) => [c.workload, c.client, c.network, c.server].join('\u0000'))
    .find((key) => seen.size === seen.add(key).size);
  if (repeated === undefined) return;
  throw new H2h3Error('usage', `the plan names a condition twice: ${repeated.split('\u0000').join(' · ')}`);
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
function plannedWorkload({
  id,
  kind,
  title,
  facts,
  view,
  applies,
}: PlannedWorkload): Plan['workloads'][number] {
  const named = { id, kind, title, ...(applies === undefined ? {} : { applies: [...applies] }) };
  // What a second visit asks for is known only when it has been made.
  if (view === 'repeat') return { ...named, view };
  if (kind !== 'page' || facts === undefined) return named;
  const { objectCount, wireBytes, hostCount, types } = facts;
  const known = Object.entries({ objectCount, wireBytes, hostCount, types }).filter(
    ([, value]) => value !== undefined,
  );
  return known.length === 0 ? named : { ...named, facts: Object.fromEntries(known) };
}

/** @throws H2h3Error `usage` for a pair of arms that the plan does not have, of one arm with itself, or named before */
function namedPairs(pairs: readonly [string, string][], arms: readonly Arm[]): [string, string][] {
  const labels = arms.map(({ label }) => label);
  for (const [baseline, candidate] of pairs) {
    if (labels.includes(baseline) && labels.includes(candidate) && baseline !== candidate) continue;
    throw new H2h3Error('usage', `compare: [${baseline}, ${candidate}] is no pair of arms of this plan`, {
      context: { expected: `two of ${labels.join(', ')}`, got: `${baseline}, ${candidate}` },
    });
  }
  const alike = (pair: [string, string]): string => JSON.stringify([...pair].sort());
  const seen = new Set<string>();
  for (const pair of pairs) {
    if (seen.size < seen.add(alike(pair)).size) continue;
    throw new H2h3Error('usage', `compare: [${pair.join(', ')}] is named twice, one way or the other`, {
      next: 'Name each pair of arms once: it would count twice in the family that is judged together.',
    });
  }
  return pairs.map(([baseline, candidate]) => [baseline, candidate]);
}

/** @throws H2h3Error `usage` for a limit of what nothing here has */
function requireJudgeableBudgets({ budgets = [] }: PlanFile, kinds: ReadonlySet<WorkloadKind>): void {
  const lost = budgets.find((text) => !parseBudget(text).metric.kinds.some((kind) => kinds.has(kind)));
  if (lost === undefined) return;
  const { metric } = parseBudget(lost);
  throw new H2h3Error(
    'usage',
    `the budget "${lost}" is of a ${metric.kinds.join(' or ')}, and this plan has none`,
  );
}

/** What decides where the plan does not say: what all workloads of the kind are decided by, else what the kind is. */
function decidingMetric(kind: WorkloadKind, { workloads, defaultPrimary }: ExpandContext): string {
  const own = new Set(
    workloads.filter((workload) => workload.kind === kind).map(({ decidedBy }) => decidedBy),
  );
  const [metric, ...others] = own;
  return others.length === 0 && metric !== undefined ? metric : defaultPrimary[kind].metric;
}

/** The primary metric of each kind, and whether it is pooled over workloads. */
function primariesOf(
  file: PlanFile,
  context: ExpandContext,
  kinds: ReadonlySet<WorkloadKind>,
): Pick<Plan, 'primary' | 'pooled'> {
  const bothViews = new Set(pagesOf(context.workloads).map(({ view }) => view ?? 'cold')).size > 1;
  const primary: Plan['primary'] = {};
  const pooled: Plan['pooled'] = {};
  for (const kind of kinds) {
    const metric = file.primary[kind] ?? decidingMetric(kind, context);
    primary[kind] = metric;
    // A pool is a mean of ratios; what is compared by difference has none, so each workload is judged by itself.
    const hasRatio = metricDefinition(metric)?.form === 'ratio';
    // First and second visits are different things: a mean over both would tell of neither.
    const byDefault = context.defaultPrimary[kind].pooled && !(kind === 'page' && bothViews);
    pooled[kind] = hasRatio && (file.pooled[kind] ?? byDefault);
  }
  return { primary, pooled };
}

/** @throws H2h3Error `usage` for more recorded blocks than there are blocks */
function countsOf({ interims, repetitions: asked, recordedBlocks }: PlanFile): BlockCounts {
  const repetitions = interims?.at(-1) ?? asked;
  return { repetitions, interims, recordedBlocks: instrumentedBlocksIn(recordedBlocks, repetitions) };
}

/**
 * The whole plan: conditions crossed, and every block's trials in the seeded random order in which they run.
 * One block of every condition comes before the next block of any, so that drift hits all conditions alike.
 *
 * @throws H2h3Error `usage` when the plan makes no sense (fewer than one arm, repeated conditions).
 */
export function expandPlan(file: PlanFile, context: ExpandContext): Plan {
  const named = parseArms(file.arms);
  const counts = countsOf(file);
  requireModestPlan(file, countConditions(file, named, context), counts);
  const opened = conditionsOf(file, named, context);
  requireDistinctArms(named, opened);
  const conditions = opened.map(({ condition }) => condition);
  requireDistinctConditions(conditions);
  const own = definedNetworks(file);
  const specs = [...own, ...(context.networkSpecs ?? [])];
  const arms = withFaults(file.inject, named);
  const faulty = faultyNetworks(
    arms,
    opened.map(({ open }) => open.network),
    specs,
  );
  const defined = [...own, ...faulty.networks];
  const customSites = customSitesOf(context.workloads);
  const kinds = new Set(context.workloads.map(({ kind }) => kind));
  requireJudgeableBudgets(file, kinds);
  const trials = trialsOfBlocks({
    ...counts,
    conditions: opened,
    arms,
    seed: file.seed,
    isInstrumented: context.isInstrumented,
  });
  return {
    schemaVersion: 1,
    name: file.name,
    ...(file.scale === undefined ? {} : { scale: file.scale }),
    seed: file.seed,
    command: context.command,
    arms,
    repetitions: counts.repetitions,
    recordedBlocks: trials.some(({ instrumentation }) => instrumentation === 'instrumented')
      ? counts.recordedBlocks
      : 0,
    ...(file.interims ? { interims: file.interims } : {}),
    ...(file.compare ? { compare: namedPairs(file.compare, arms) } : {}),
    exploratory: file.exploratory,
    ...primariesOf(file, context, kinds),
    margins: file.margins,
    probes: file.probes,
    ...(file.budgets ? { budgets: file.budgets } : {}),
    urls: file.urls,
    ...(file.app === undefined ? {} : { app: file.app }),
    ...(Object.keys(file.live).length > 0 ? { live: file.live } : {}),
    ...(context.script && { script: context.script }),
    ...(customSites.length > 0 ? { customSites } : {}),
    ...(file.hosts === undefined ? {} : { hosts: file.hosts }),
    ...(defined.length > 0 ? { customNetworks: defined } : {}),
    ...(file.allowCongestionMismatch ? { allowCongestionMismatch: true } : {}),
    ...(file.quickStart ? { quickStart: true } : {}),
    ...(faulty.standIns.length > 0 ? { standIns: [...faulty.standIns] } : {}),
    ...(file.grid ? { grid: expandGrid(file.grid).grid } : {}),
    ...(typeof file.audience === 'object' ? { audience: file.audience } : {}),
    ...(file.published.length > 0 ? { published: file.published } : {}),
    workloads: context.workloads.map(plannedWorkload),
    conditions,
    trials,
  };
}
