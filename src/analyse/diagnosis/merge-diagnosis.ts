import { isDiagnosisOf, type Diagnosis } from '../../core/model/diagnosis.ts';
import type { Comparison } from '../../core/model/summary.ts';

/** Counts that tell why a process is full, with the words for them. */
export const mechanisms: Readonly<Record<string, string>> = {
  packetsReceived: 'packets received',
  transportPacketsReceived: 'packets handed to the transport',
  netifReceiveSkbCalls: 'netif_receive_skb calls',
  syscalls: 'system calls',
  contextSwitches: 'context switches',
};

/**
 * The differences of a run with what its diagnosis run, made of recorded blocks with more probes, knows of them: all of a
 * difference that the run's own evidence cannot divide, else of a page what needs these probes, and of anything else the
 * division by what was full, with what was counted with it.
 */
export function mergeDiagnosis(
  own: readonly Diagnosis[],
  finer: readonly Diagnosis[],
  comparisons: readonly Comparison[],
): Diagnosis[] {
  const known = new Set(own.map(diagnosisKey));
  const told = finer.map((entry) => withCounts(entry, comparisons));
  return [
    ...own.map((entry) => {
      const found = told.find((other) => diagnosisKey(other) === diagnosisKey(entry));
      if (found === undefined) return entry;
      return entry.metric === 'pltMs' ? { ...withCauses(entry, found), ...recordedBy(found) } : found;
    }),
    ...told.filter((entry) => !known.has(diagnosisKey(entry))),
  ];
}

function withCounts(diagnosis: Diagnosis, comparisons: readonly Comparison[]): Diagnosis {
  const counted = countsOf(diagnosis, comparisons);
  const parts = diagnosis.parts.map((part) => ({
    ...part,
    evidence: `${part.evidence} of a diagnosis run${counted === '' ? '' : `, ${counted}`}`,
  }));
  return { ...diagnosis, parts };
}

/** What only a diagnosis run records. */
function recordedBy({
  networkingCpu,
  flameGraphs,
  timeLines,
}: Diagnosis): Pick<Diagnosis, 'networkingCpu' | 'flameGraphs' | 'timeLines'> {
  return {
    ...(networkingCpu === undefined ? {} : { networkingCpu }),
    ...(flameGraphs === undefined ? {} : { flameGraphs }),
    ...(timeLines === undefined ? {} : { timeLines }),
  };
}

/** Pages are divided by their own trials; what needs a probe to be known is known from the diagnosis run. */
function withCauses(diagnosis: Diagnosis, { causes: found = [] }: Diagnosis): Diagnosis {
  const own = diagnosis.causes ?? [];
  const added = found
    .filter(({ id }) => !own.some((cause) => cause.id === id))
    .map((cause) => ({ ...cause, evidence: `${cause.evidence} of a diagnosis run` }));
  return added.length === 0 ? diagnosis : { ...diagnosis, causes: [...added, ...own] };
}

function diagnosisKey({
  workload,
  metric,
  client,
  network,
  server,
  baselineArm,
  candidateArm,
}: Diagnosis): string {
  return JSON.stringify([workload, metric, client, network, server, baselineArm, candidateArm]);
}

/** Whether a comparison of a summary is of the place that a diagnosis explains. */
export function isOf(diagnosis: Diagnosis, comparison: Comparison): boolean {
  const { baseline, candidate } = comparison;
  return isDiagnosisOf(diagnosis, { ...comparison, baselineArm: baseline.arm, candidateArm: candidate.arm });
}

/** Ratios whose intervals leave out 1, such as "5.5 times the system calls". */
function countsOf(diagnosis: Diagnosis, comparisons: readonly Comparison[]): string {
  return comparisons
    .filter((comparison) => isOf(diagnosis, comparison))
    .flatMap(({ metric, ratio, ratioInterval }) => {
      const words = mechanisms[metric];
      if (words === undefined || ratio === null || ratioInterval === null) return [];
      if (ratioInterval[0] <= 1 && ratioInterval[1] >= 1) return [];
      return [`${ratio.toPrecision(2)} times the ${words}`];
    })
    .join(', ');
}
