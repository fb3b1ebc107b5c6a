import { metricDefinition } from '../../core/metrics/registry.ts';
import type { InstrumentationAsymmetry } from '../../core/model/calibration.ts';
import type { Environment } from '../../core/model/environment.ts';
import { differOnlyIn } from '../../core/factors/registry.ts';
import { fitsCondition } from '../../core/model/factor.ts';
import type { Arm, Condition, Plan } from '../../core/model/plan.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import type { Instrumentation } from '../../core/model/instrumentation.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { momentsOf, studentLimit } from '../statistics/student-t.ts';
import { fitTwoWay } from '../statistics/two-way-fit.ts';
import { armPairs, type ArmPair } from './arm-pairs.ts';
import { calibrations } from './verdict.ts';
import { effectCells, poolCells } from './pool-cells.ts';
import { trialsLike, type ConditionTrials, type TrialTable } from './trial-table.ts';

/** How much more recording slows one arm of a pair than the other. */
export interface Asymmetry {
  /** On the scale of the logarithm: (candidate recorded ÷ timed) ÷ (baseline recorded ÷ timed). */
  readonly estimate: number;
  /** Upper 95 % bound of its size. */
  readonly bound: number;
  readonly source: 'run' | 'calibration';
}

/** What a plan may ask of the browser that works while a page loads, in timed trials too. A device is set before. */
export const askable = [
  'header',
  'block',
  'deterministic',
] as const satisfies InstrumentationAsymmetry['of'][];
export type AskedOfBrowser = (typeof askable)[number];

/** As a user asked for it. */
export const askedWords: Readonly<Record<AskedOfBrowser, string>> = {
  header: 'a header, a cookie or a log-in',
  block: '--block',
  deterministic: '--deterministic',
};

/** What a plan asks of the browser for its pages, and for journeys that begin at them. */
export function askedOfBrowser({ live = {}, customSites = [] }: Plan): AskedOfBrowser[] {
  const { headers = [], cookies = [], basicAuth, storageState, login, block = [] } = live;
  const opens =
    headers.length + cookies.length > 0 || [basicAuth, storageState, login].some((one) => one !== undefined);
  const asks: Readonly<Record<AskedOfBrowser, boolean>> = {
    header: opens,
    block: block.length > 0,
    deterministic: customSites.some((site) => site.kind === 'archive' && site.options.deterministic === true),
  };
  return askable.filter((of) => asks[of]);
}

/** What was measured of the recording overhead on this machine beforehand; null where nothing was. */
export type CalibratedAsymmetry = (
  kind: WorkloadKind,
  condition: Condition,
  arms: readonly Arm[],
  of: InstrumentationAsymmetry['of'],
) => Asymmetry | null;

/** What a run's environment knows of the recording overhead; only for arms that differ in their protocol and in nothing else. */
export function calibratedBy(environment: Environment | null): CalibratedAsymmetry {
  const known = environment?.instrumentationOverhead ?? [];
  return (kind, { client, network }, arms, of) => {
    const [first, second, ...more] = arms;
    if (first === undefined || second === undefined || more.length > 0) return null;
    if (!differOnlyIn('protocol', first.factors, second.factors)) return null;
    const protocols = [first, second].map(({ factors }) => factors.protocol);
    const alike = known.filter(
      (comparison) =>
        comparison.of === of &&
        comparison.workloadKind === kind &&
        fitsCondition(client, comparison.client) &&
        protocols.includes(comparison.baseline) &&
        protocols.includes(comparison.candidate),
    );
    const here = alike.filter((cost) => fitsCondition(network, cost.network));
    const [largest] = (here.length > 0 ? here : alike).toSorted((a, b) => b.bound - a.bound);
    if (largest === undefined) return null;
    const sign = largest.baseline === first.factors.protocol ? 1 : -1;
    return {
      estimate: sign * Math.log(largest.ratio),
      bound: Math.log1p(largest.bound),
      source: 'calibration',
    };
  };
}

/** What will leave comparisons of protocols undecided because it was not measured on this machine: a line for each client. */
export function unmeasuredOf(plan: Plan, environment: Environment): string[] {
  const calibrated = calibratedBy(environment);
  const pairs = armPairs(plan).filter((pair) => comparesProtocols(contrastOf(pair)));
  const lines = plan.conditions.flatMap((condition) =>
    askedOfBrowser(plan).flatMap((of) =>
      pairs.some(
        ({ baseline, candidate }) => calibrated('page', condition, [baseline, candidate], of) === null,
      )
        ? [
            `protocols will not be judged against each other in ${condition.client}: what ${askedWords[of]} adds to each is not ` +
              `known on this machine. First run npx h2h3 calibrate --recording --client ${condition.client}`,
          ]
        : [],
    ),
  );
  return [...new Set(lines)];
}

/** The metric of each kind by which it is known what recording costs: timed and recorded trials have it alike. */
export const overheadMetric: Readonly<Record<WorkloadKind, string>> = {
  page: 'pltMs',
  journey: 'journeyMs',
  video: 'meanChunkThroughputMbps',
  download: 'totalRequestTimeMs',
  upload: 'uploadMs',
  messages: 'messageMeanMs',
};

/** Both tails, so that either arm may be the one that is slowed more. */
const level = 0.9;
const minBlocks = 2;

/** What is compared: arms, and the sign with which each enters the logarithm of their ratio. */
interface Contrast {
  readonly arms: readonly Arm[];
  readonly signs: readonly number[];
}

/** Candidate over baseline. */
export function contrastOf({ baseline, candidate }: Pick<ArmPair, 'baseline' | 'candidate'>): Contrast {
  return { arms: [baseline, candidate], signs: [-1, 1] };
}

/** The logarithms of a ratio of arms block by block, as means over these conditions. */
export function effectsOf(
  group: readonly ConditionTrials[],
  { arms, signs }: Contrast,
  kind: WorkloadKind,
): number[] {
  const definition = metricDefinition(overheadMetric[kind]);
  if (definition === undefined) return [];
  const cells = poolCells(group, arms, definition, false);
  const sites = cells.workloads.length;
  return sites === 0 ? [] : fitTwoWay(effectCells(cells, signs), sites).blocks.map(({ value }) => value);
}

/**
 * What a run's own timed and recorded trials of the same conditions say of it; null where either has fewer than two blocks.
 * The interval is that of two means with unlike variances (Welch, Biometrika 34, 1947).
 */
export function asymmetryOfRun(
  timed: readonly ConditionTrials[],
  recorded: readonly ConditionTrials[],
  contrast: Contrast,
): Asymmetry | null {
  const [first] = recorded;
  if (first === undefined) return null;
  return asymmetryBetween(effectsOf(timed, contrast, first.kind), effectsOf(recorded, contrast, first.kind));
}

/** Null where either has fewer than two. @param timed logarithms of a ratio of arms, block by block */
export function asymmetryBetween(timed: readonly number[], recorded: readonly number[]): Asymmetry | null {
  if (timed.length < minBlocks || recorded.length < minBlocks) return null;
  const plain = momentsOf(timed);
  const instrumented = momentsOf(recorded);
  const a = plain.variance / plain.n;
  const b = instrumented.variance / instrumented.n;
  const estimate = instrumented.mean - plain.mean;
  const spread = a + b;
  const freedom = spread ** 2 / (a ** 2 / (plain.n - 1) + b ** 2 / (instrumented.n - 1));
  const reach = spread === 0 ? 0 : studentLimit(level, freedom) * Math.sqrt(spread);
  return { estimate, bound: Math.abs(estimate) + reach, source: 'run' };
}

type InstrumentedTrials = Pick<TrialTable, 'conditions' | 'recorded'>;

/** What is known of the recording overhead where a metric is compared. */
export interface KnownOverhead {
  readonly instrumentation: Instrumentation;
  /** Of trials in whose browser anything of ours, or a script's library, worked; null where nothing did, or nothing says it. */
  readonly asymmetry: Asymmetry | null;
  /** Why it is not known what that made; null where it is. */
  readonly unknown: Reason | null;
  /** The arm that alone was recorded, where the others were not: such trials are no comparison. */
  readonly instrumentedAlone: string | null;
}

/**
 * What is known of the recording overhead for comparisons of these conditions: of timed trials nothing needs to be, of recorded trials the
 * run's own, else what was measured on this machine beforehand. A script drives its browser in every trial, and what is asked
 * of requests is asked in every trial: what that adds to each protocol is known from a calibration alone.
 */
export function knownOverhead(
  group: readonly ConditionTrials[],
  table: InstrumentedTrials,
  contrast: Contrast,
  { calibratedAsymmetry: calibrated, asked }: OverheadRules,
): KnownOverhead {
  const [first] = group;
  const instrumentation = first?.instrumentation ?? 'uninstrumented';
  const instrumentedAlone = aloneIn(group, table, contrast);
  if (first === undefined) return { instrumentation, asymmetry: null, unknown: null, instrumentedAlone };
  const { kind, condition } = first;
  const { arms } = contrast;
  const recording =
    instrumentation === 'uninstrumented'
      ? none
      : (asymmetryOfRun(trialsLike(group, table.conditions), group, contrast) ??
        calibrated(kind, condition, arms, 'recording'));
  const ofProtocols = comparesProtocols(contrast);
  const parts: Disturbance[] = [{ known: recording, unknown: reasonOf('recording-unknown') }];
  if (ofProtocols && kind === 'journey')
    parts.push({
      known: calibrated(kind, condition, arms, 'driver'),
      unknown: uncalibrated('driver-unknown', 'the script’s library'),
    });
  if (ofProtocols && (kind === 'journey' || kind === 'page'))
    for (const of of asked)
      parts.push({
        known: calibrated('page', condition, arms, of),
        unknown: uncalibrated('interception-unknown', askedWords[of]),
      });
  const unknown = parts.find(({ known }) => known === null)?.unknown ?? null;
  const asymmetry = parts.map(({ known }) => known).reduce<Known>(sumOf, none);
  return { instrumentation, asymmetry: asymmetry === none ? null : asymmetry, unknown, instrumentedAlone };
}

interface OverheadRules {
  readonly calibratedAsymmetry: CalibratedAsymmetry;
  readonly asked: readonly AskedOfBrowser[];
}

/** Something of ours in the browser while a page loads. */
interface Disturbance {
  readonly known: Known;
  /** Why nothing is judged where it is not known. */
  readonly unknown: Reason;
}

/** @param part of the instrument, whose share is known from a calibration alone */
function uncalibrated(code: 'driver-unknown' | 'interception-unknown', part: string): Reason {
  const unmeasured = `what ${part} adds to each protocol`;
  return reasonOf(code, `${unmeasured} was not measured (h2h3 calibrate ${calibrations[code]})`, {
    unmeasured,
  });
}

/** Of what is not there. */
const none = 'none';

/** Two arms over unlike protocols. What a driver adds to a protocol leaves the difference of two such differences. */
function comparesProtocols({ arms }: Contrast): boolean {
  const [first, second, ...more] = arms;
  return more.length === 0 && first?.factors.protocol !== second?.factors.protocol;
}

type Known = Asymmetry | typeof none | null;

/** What two disturbances make together at the most; null where one is not known. */
function sumOf(one: Known, other: Known): Known {
  if (one === null || other === null) return null;
  if (one === none) return other;
  if (other === none) return one;
  const source = one.source === other.source ? one.source : 'calibration';
  return { estimate: one.estimate + other.estimate, bound: one.bound + other.bound, source };
}

/** The one arm of which there are recorded trials alone, while another has timed ones alone. */
function aloneIn(
  group: readonly ConditionTrials[],
  { conditions, recorded }: InstrumentedTrials,
  { arms }: Contrast,
): string | null {
  const has = (trials: readonly ConditionTrials[], arm: Arm): boolean =>
    trialsLike(group, trials).some(({ recordsByArm }) => (recordsByArm.get(arm.label)?.size ?? 0) > 0);
  const onlyInstrumented = arms.filter((arm) => has(recorded, arm) && !has(conditions, arm));
  const onlyUninstrumented = arms.some((arm) => has(conditions, arm) && !has(recorded, arm));
  return onlyUninstrumented ? (onlyInstrumented[0]?.label ?? null) : null;
}

/** Why values may not be judged for how they were recorded; null where they may. */
export function overheadVeto({ unknown, instrumentedAlone }: KnownOverhead): Reason | null {
  return instrumentedAlone === null
    ? unknown
    : reasonOf('recorded-alone', `only ${instrumentedAlone} was recorded`);
}
