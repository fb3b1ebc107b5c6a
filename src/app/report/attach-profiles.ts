import { foldedDifference } from '../../analyse/diagnosis/flame-difference.ts';
import { isOf, mechanisms } from '../../analyse/diagnosis/merge-diagnosis.ts';
import { reasonsOf } from '../../analyse/gate/reasons.ts';
import { isDiagnosisOf, type Diagnosis } from '../../core/model/diagnosis.ts';
import type { Gate } from '../../core/model/gate.ts';
import { namesFrom } from '../../core/model/names.ts';
import type { Comparison } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { summaryOfDiagnosisRun, withDiagnosisRun } from '../explain/plan-diagnosis.ts';
import { summaryOf } from './recorded-summary.ts';

/**
 * What was recorded of places that got worse goes with the gate: where it comes from as the blocks of a diagnosis run say,
 * what was counted and what the networking process computed in both versions, and differential flame graphs as files
 * next to it. Nothing where no diagnosis was measured.
 */
export function withProfiles(directory: RunDirectory, gate: Gate): Gate {
  const worse = gate.comparisons.filter(({ verdict }) => verdict === 'worse');
  if (worse.length === 0) return gate;
  const summary = summaryOf(directory);
  const finer = summaryOfDiagnosisRun(directory);
  const { diagnosis = [] } = withDiagnosisRun(directory, summary, finer);
  const { comparisons } = finer ?? summary;
  const names = namesFrom(gate.names);
  const reasons = reasonsOf(diagnosis, worse, ({ workload, workloadKind }) =>
    names.workload(workload, workloadKind),
  );
  const about = diagnosis.filter((entry) => worse.some((comparison) => isDiagnosisOf(entry, comparison)));
  const lines = about.flatMap((entry, index) => [
    ...countedLines(entry, comparisons),
    ...computedLines(entry),
    ...flameLines(entry, index, directory),
  ]);
  return { ...gate, reasons: [...reasons, ...lines] };
}

const figure = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: false });

/** Packets and calls a trial, in both versions. */
function countedLines(diagnosis: Diagnosis, comparisons: readonly Comparison[]): string[] {
  const counts = comparisons
    .filter((comparison) => isOf(diagnosis, comparison))
    .flatMap(({ metric, baseline, candidate }) => {
      const words = mechanisms[metric];
      if (words === undefined || baseline.median === null || candidate.median === null) return [];
      return [`${words} ${figure.format(baseline.median)} → ${figure.format(candidate.median)}`];
    });
  return counts.length === 0
    ? []
    : [`${diagnosis.workload}, counted a trial (median): ${counts.join(', ')}.`];
}

function computedLines({ workload, networkingCpu = [] }: Diagnosis): string[] {
  return networkingCpu.map(({ by, stages }) => {
    const parts = stages.map(
      ({ title, baselineMs, candidateMs }) =>
        `${title} ${baselineMs.toFixed(0)} → ${candidateMs.toFixed(0)} ms`,
    );
    return `${workload}, the networking process by ${by}: ${parts.join(', ')}.`;
  });
}

function flameLines(
  { workload, flameGraphs = [] }: Diagnosis,
  index: number,
  directory: RunDirectory,
): string[] {
  return flameGraphs.map((graph) => {
    const file = `flame-difference-${index + 1}-${graph.side}.folded`;
    directory.write(file, foldedDifference(graph));
    return `${workload}, differential flame graph of the ${graph.side}: ${file} (inferno-diff-folded’s form, hundredths of a ms).`;
  });
}
