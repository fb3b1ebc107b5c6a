import type { MetricInputs } from './metric-inputs.ts';
import { metrics } from './registry.ts';

/** Every metric that comes from this kind of evidence, by name; those that do not apply are left out. */
export function evaluate<Kind extends keyof MetricInputs>(
  kind: Kind,
  input: MetricInputs[Kind],
): Record<string, number | null> {
  const values: Record<string, number | null> = {};
  for (const { name, formulas } of metrics) {
    const value = formulas[kind]?.(input);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Names of the metrics that come from this kind of evidence. */
export function metricsFrom(kind: keyof MetricInputs): readonly string[] {
  return metrics.filter(({ formulas }) => formulas[kind] !== undefined).map(({ name }) => name);
}
