import { isDiagnosisOf, type Diagnosis } from '../../model/diagnosis.ts';
import type { Comparison } from '../../model/summary.ts';

/** Counts that tell why a process is full, with the words for them. */
export const mechanisms: Readonly<Record<string, string>> = {
  packetsReceived: 'packets received',
  transportPacketsReceived: 'packets handed to the transport',
  netifReceiveSkbCalls: 'netif_receive_skb calls',
  syscalls: 'system calls',
  contextSwitches: 'context switches',
};

/**
 * What a diagnosis run, made of blocks of its own, knows better than the run it explains: its division of a download by
 * what was full, with what was counted beside it. Everything else stays as the run itself says.
 */
export function mergeDiagnosis(
  own: readonly Diagnosis[],
  finer: readonly Diagnosis[],
  comparisons: readonly Comparison[],
): Diagnosis[] {
  return own.map((one) => {
    const found = finer.find((other) => keyOf(other) === keyOf(one));
    if (found === undefined) return one;
    if (one.metric === 'pltMs') return { ...withCauses(one, found), ...recordedBy(found) };
    const counted = countsOf(found, comparisons);
    const parts = found.parts.map((part) => ({
      ...part,
      evidence: `${part.evidence} of a diagnosis run${counted === '' ? '' : `; ${counted}`}`,
    }));
    return { ...found, parts };
  });
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
function withCauses(one: Diagnosis, { causes: found = [] }: Diagnosis): Diagnosis {
  const own = one.causes ?? [];
  const added = found
    .filter(({ id }) => !own.some((cause) => cause.id === id))
    .map((cause) => ({ ...cause, evidence: `${cause.evidence} of a diagnosis run` }));
  return added.length === 0 ? one : { ...one, causes: [...added, ...own] };
}

function keyOf({ workload, metric, client, network, server, baselineArm, candidateArm }: Diagnosis): string {
  return JSON.stringify([workload, metric, client, network, server, baselineArm, candidateArm]);
}

/** Whether a comparison of a summary is of the place that a diagnosis explains. */
export function isOf(one: Diagnosis, comparison: Comparison): boolean {
  const { baseline, candidate } = comparison;
  return isDiagnosisOf(one, { ...comparison, baselineArm: baseline.arm, candidateArm: candidate.arm });
}

/** Ratios whose intervals leave out 1, such as "5.5 times the system calls". */
function countsOf(one: Diagnosis, comparisons: readonly Comparison[]): string {
  return comparisons
    .filter((comparison) => isOf(one, comparison))
    .flatMap(({ metric, ratio, ratioInterval }) => {
      const words = mechanisms[metric];
      if (words === undefined || ratio === null || ratioInterval === null) return [];
      if (ratioInterval[0] <= 1 && ratioInterval[1] >= 1) return [];
      return [`${ratio.toPrecision(2)} times the ${words}`];
    })
    .join(', ');
}
