import type { Gate } from '../../model/gate.ts';
import type { Plan } from '../../model/plan.ts';
import type { Summary } from '../../model/summary.ts';
import { answersOf, overviewOf } from '../answers/answers.ts';

/**
 * The summary of a sequential run with the verdicts of its looks: a plain test at 5 % after the last block would
 * raise more false alarms than it says, because the run chose when to end.
 */
export function withGateVerdicts(summary: Summary, gate: Gate, plan: Plan): Summary {
  const comparisons = summary.comparisons.map((comparison) => {
    const judged = gate.comparisons.find(
      (one) =>
        comparison.primary &&
        one.workload === comparison.workload &&
        one.workloadKind === comparison.workloadKind &&
        one.client === comparison.client &&
        one.network === comparison.network &&
        one.server === comparison.server &&
        one.metric === comparison.metric &&
        one.baselineArm === comparison.baseline.arm &&
        one.candidateArm === comparison.candidate.arm,
    );
    if (judged === undefined) return comparison;
    const { verdict, adjustedPValue, reason, blocksNeeded } = judged;
    const changed = { ...comparison, verdict, adjustedPValue };
    delete changed.reason;
    delete changed.blocksNeeded;
    return {
      ...changed,
      ...(reason === undefined ? {} : { reason }),
      ...(blocksNeeded === undefined ? {} : { blocksNeeded }),
    };
  });
  const { environment, run, oneSided = [] } = summary;
  const facts = { plan, comparisons, environment, run, oneSided };
  const looks = gate.looks.map(({ blocks }) => blocks).join(', ');
  return {
    ...summary,
    comparisons,
    gateOutcome: gate.outcome,
    answers: answersOf(facts),
    overview: overviewOf(facts),
    headline: [...gate.headline, ...gate.attribution.map(({ sentence }) => sentence)],
    warnings: [
      `the run was judged in looks (after ${looks === '' ? 'none of its' : looks} blocks): primary verdicts and p are those of the looks; intervals are plain 95 % intervals of all blocks`,
      ...summary.warnings,
    ],
  };
}
