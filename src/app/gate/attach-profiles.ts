import { foldedDifference } from '../../analyse/diagnosis/flame-difference.ts';
import { isDiagnosisOf } from '../../analyse/gate/reasons.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Gate } from '../../model/gate.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { withDiagnosisRun } from '../diagnose/plan-diagnosis.ts';
import { summaryOf } from '../report/recorded-summary.ts';

/**
 * What was recorded of places that got worse goes with the gate: differential flame graphs as files beside it, and what the
 * networking process computed in both versions. Nothing where no diagnosis was measured.
 */
export function withProfiles(directory: RunDirectory, gate: Gate): Gate {
  const worse = gate.comparisons.filter(({ verdict }) => verdict === 'worse');
  if (worse.length === 0) return gate;
  const { diagnosis = [] } = withDiagnosisRun(directory, summaryOf(directory));
  const about = diagnosis.filter((one) => worse.some((comparison) => isDiagnosisOf(one, comparison)));
  const lines = about.flatMap((one, index) => [...computedLines(one), ...flameLines(one, index, directory)]);
  return lines.length === 0 ? gate : { ...gate, reasons: [...(gate.reasons ?? []), ...lines] };
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
