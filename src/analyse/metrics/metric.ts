import type { MetricDefinition } from '../../model/metrics.ts';
import type { MetricInputs } from './metric-inputs.ts';

/** Null: could not be measured (a warning says why); undefined: does not apply. */
export type MetricValue = number | null | undefined;

/** From each kind of evidence that this metric can come from, its value. */
export type Formulas = {
  readonly [Kind in keyof MetricInputs]?: (input: MetricInputs[Kind]) => MetricValue;
};

/** A metric: what it is, how it is compared, words for people and how it is computed. One file each, and a line in the registry. */
export interface Metric extends MetricDefinition {
  readonly formulas: Formulas;
}
