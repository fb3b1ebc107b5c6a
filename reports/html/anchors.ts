import type { Diagnosis } from '../../src/core/model/diagnosis.ts';
import type { Comparison } from '../../src/core/model/summary.ts';

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Names with a number behind those that come again, in their order. */
function numbered(names: readonly string[]): string[] {
  const used = new Map<string, number>();
  return names.map((name) => {
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
}

/** Those parts of a condition of which there are several. */
function telling<T>(items: readonly T[], parts: readonly ((item: T) => string)[]): ((item: T) => string)[] {
  return parts.filter((part) => new Set(items.map(part)).size > 1);
}

const conditionParts: readonly ((comparison: Comparison) => string)[] = [
  ({ client }) => client,
  ({ network }) => network,
  ({ server }) => server,
  ({ baseline, candidate }) => `${baseline.arm}-${candidate.arm}`,
];

/**
 * The anchor of each comparison, in their order: its workload and metric, and what else the run has several of. The
 * next report of the same plan has the same anchors. Equal names get a number.
 */
export function anchorsOf(comparisons: readonly Comparison[]): string[] {
  const parts = telling(comparisons, conditionParts);
  const names = comparisons.map((comparison) => {
    const { workload, workloadKind, metric } = comparison;
    const name = workload === 'pooled' ? `pooled-${workloadKind}` : workload;
    return `c-${[name, metric, ...parts.map((part) => part(comparison))].map(slug).join('-')}`;
  });
  return numbered(names);
}

const placeParts: readonly ((diagnosis: Diagnosis) => string)[] = [
  ({ client = '' }) => client,
  ({ network = '' }) => network,
  ({ server = '' }) => server,
  ({ baselineArm = '', candidateArm = '' }) => `${baselineArm}-${candidateArm}`,
];

/** The same for the explanations of differences. */
export function diagnosisAnchorsOf(diagnosis: readonly Diagnosis[]): string[] {
  const parts = telling(diagnosis, placeParts);
  return numbered(
    diagnosis.map(
      (entry) => `why-${[entry.workload, ...parts.map((part) => part(entry))].map(slug).join('-')}`,
    ),
  );
}
