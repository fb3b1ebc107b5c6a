import type { AnswerAction } from '../../model/answer.ts';
import type { Arm } from '../../model/plan.ts';
import type { Comparison } from '../../model/summary.ts';
import { armName } from '../../factors/arm-name.ts';
import { beOf } from '../wording/figures.ts';
import { headlineWords } from '../wording/headline-words.ts';

const audiences = {
  page: 'these pages',
  journey: 'this journey',
  video: 'this video',
  download: 'these downloads',
} as const;

export interface AdviceFacts {
  /** The most telling comparison of the answer. */
  readonly comparison: Comparison;
  readonly arms: readonly Arm[];
  /** Whether a part of the answer is decided. */
  readonly partly: boolean;
}

/** What is not decided; how long more takes is said beside its command. */
function measureMore({ comparison, partly }: AdviceFacts): string {
  const { noun } = headlineWords(comparison.metric);
  const what = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${beOf([noun])} not decided${partly ? ' everywhere' : ''}.`;
  return `${what} More blocks may decide it.`;
}

/** What to do about an answer, in a sentence or two. */
export function adviceFor(action: AnswerAction, facts: AdviceFacts): string {
  const { comparison, arms } = facts;
  const named = (label: string): string => {
    const arm = arms.find((arm) => arm.label === label);
    return arm === undefined ? label : armName(arm);
  };
  const what = audiences[comparison.workloadKind];
  const baseline = named(comparison.baseline.arm);
  const candidate = named(comparison.candidate.arm);
  const onSwitch = comparison.baseline.arm === 'h2' && comparison.candidate.arm === 'h3';
  switch (action) {
    case 'do':
      return onSwitch ? `Offer HTTP/3 for ${what} to this audience.` : `Take ${candidate} for ${what}.`;
    case 'do-not':
      return onSwitch
        ? `Keep ${what} on HTTP/2 for this audience until the cause is found.`
        : `Stay with ${baseline} for ${what}.`;
    case 'either':
      return `No difference in ${headlineWords(comparison.metric).noun}. Choose on cost.`;
    case 'by-workload':
      return 'Some gain and some lose. The average hides that.';
    case 'measure-more':
      return measureMore(facts);
    case 'measure-network':
      return 'Measure over a network before you decide. Without one this shows what the protocols cost the machine, not what users get.';
    case 'none':
      return 'Nothing to decide: a check of the instrument.';
  }
}

/** The same where viewers notice nothing of it: what was found is then a matter of throughput alone. */
export function unfeltAdvice(action: AnswerAction, facts: AdviceFacts): string {
  const advice = adviceFor(action, facts);
  return action === 'do' || action === 'do-not'
    ? `Viewers notice no difference here. Where the network has less to spare: ${advice.charAt(0).toLowerCase()}${advice.slice(1)}`
    : advice;
}
