import type { AnswerAction } from '../../model/answer.ts';
import type { Arm } from '../../model/plan.ts';
import type { Comparison } from '../../model/summary.ts';
import { armName } from '../../model/arm-name.ts';

const audiences = {
  page: 'these pages',
  journey: 'this journey',
  video: 'this video',
  download: 'these downloads',
} as const;

/** What to do about an answer, in a sentence. */
export function adviceFor(action: AnswerAction, comparison: Comparison, arms: readonly Arm[]): string {
  const named = (label: string): string => {
    const arm = arms.find((one) => one.label === label);
    return arm === undefined ? label : armName(arm);
  };
  const what = audiences[comparison.workloadKind];
  const [baseline, candidate] = [named(comparison.baseline.arm), named(comparison.candidate.arm)];
  const onSwitch = comparison.baseline.arm === 'h2' && comparison.candidate.arm === 'h3';
  switch (action) {
    case 'do':
      return onSwitch ? `Offer HTTP/3 for ${what} to this audience.` : `Take ${candidate} for ${what}.`;
    case 'do-not':
      return onSwitch
        ? `Keep ${what} on HTTP/2 for this audience until the cause is found.`
        : `Stay with ${baseline} for ${what}.`;
    case 'either':
      return 'Decide by other reasons, such as cost.';
    case 'by-workload':
      return 'Some gain and some lose, and the average hides that.';
    case 'measure-more':
      return 'There is nothing to act on yet.';
    case 'measure-network':
      return 'Do not decide by this: without a network it shows what the protocols cost the machine, not what users get.';
    case 'none':
      return 'Nothing to decide: a check of the instrument.';
  }
}

/** The same where viewers notice nothing of it: what was found is then a matter of throughput alone. */
export function unfeltAdvice(action: AnswerAction, comparison: Comparison, arms: readonly Arm[]): string {
  const advice = adviceFor(action, comparison, arms);
  return action === 'do' || action === 'do-not'
    ? `Viewers notice nothing of it here; where the network has less to spare: ${advice.charAt(0).toLowerCase()}${advice.slice(1)}`
    : advice;
}
