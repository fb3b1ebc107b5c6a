import { trialMetricsSchema } from '../../core/model/metrics.ts';
import type { TrialMetrics } from '../../core/model/metrics.ts';

/**
 * The metrics as the journal takes them: a number that is not finite becomes null, a structure that is not as its
 * schema says is left out; each such is named in a warning. Both come from evidence that is absurd, not from a trial.
 */
export function soundMetrics(metrics: TrialMetrics): {
  readonly metrics: TrialMetrics;
  readonly warnings: readonly string[];
} {
  const parsed = trialMetricsSchema.safeParse(metrics);
  if (parsed.success) return { metrics, warnings: [] };
  const unsound = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const sound: TrialMetrics = { ...metrics };
  for (const name of unsound) {
    if (typeof metrics[name] === 'number') sound[name] = null;
    else Reflect.deleteProperty(sound, name);
  }
  return {
    metrics: sound,
    warnings: [...unsound].map((name) => `${name}: derived from absurd evidence, left out`),
  };
}
