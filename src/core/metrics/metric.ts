import type { ComparisonForm } from '../model/metrics.ts';
import type { Instrumentation } from '../model/instrumentation.ts';
import type { WorkloadKind } from '../model/workload.ts';
import type { MetricInputs } from './metric-inputs.ts';
import type { RareEvents } from './rare-events.ts';

/** Null: could not be measured (a warning says why); undefined: does not apply. */
export type MetricValue = number | null | undefined;

/** From each kind of evidence that this metric can come from, its value. */
export type Formulas = {
  readonly [Kind in keyof MetricInputs]?: (input: MetricInputs[Kind]) => MetricValue;
};

/** A metric: what it is, how it is compared, words for people and how it is computed. An entry in the table of its topic. */
export interface Metric {
  readonly name: string;
  /** Words for reports, lower case. */
  readonly title: string;
  /** The title is a plural, such as `objects`: sentences about it take their verbs by this. Default: it is none. */
  readonly isPlural?: true;
  /** One sentence that says what is measured. */
  readonly meaning: string;
  /** Where the definition comes from, if it has a source. */
  readonly source?: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  readonly form: ComparisonForm;
  /** Practical margin: a fraction for ratios (0.03 is 3 %), in the metric's unit for differences. */
  readonly margin: number;
  readonly kinds: readonly WorkloadKind[];
  /** `time` takes the deadline, `rate` bytes so far over the deadline, when a trial reached its deadline. */
  readonly onDeadline: 'time' | 'rate' | 'missing';
  /** True: it comes from what a browser or the kernel records, so that recorded trials alone give it. Default: timed ones do. */
  readonly needsInstrumentation?: boolean;
  /** Of counts and times of events that may never happen: by what they are judged equal. */
  readonly rareEvents?: RareEvents;
  /** A session that is too short to be called watching cannot show that viewers get the same. */
  readonly needsPlayedTime?: true;
  readonly formulas: Formulas;
}

/** A time of which shares count. */
export const timeAsRatio = { unit: 'ms', form: 'ratio', higherIsBetter: false } as const;
/** A time that may be none, so that its difference counts. */
export const timeAsDifference = { ...timeAsRatio, form: 'difference' } as const;
/** A number that may be none, likewise. */
export const numberAsDifference = { ...timeAsDifference, unit: '' } as const;
/** Of video sessions that are long enough to be called watching. */
export const ofPlayedTime = { kinds: ['video'], onDeadline: 'missing', needsPlayedTime: true } as const;

/** The trials from which a metric is judged. */
export function instrumentationOf({
  needsInstrumentation,
}: Pick<Metric, 'needsInstrumentation'>): Instrumentation {
  return needsInstrumentation === true ? 'instrumented' : 'uninstrumented';
}
