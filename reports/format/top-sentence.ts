import type { Answer, AnswerAction } from '../../src/core/model/answer.ts';
import type { Summary } from '../../src/core/model/summary.ts';

const weight: readonly AnswerAction[] = [
  'do-not',
  'by-workload',
  'do',
  'either',
  'measure-more',
  'measure-network',
  'measure-harder',
  'none',
];

/** What asks for most comes first; of the same weight as they come. */
export function inOrderOfWeight(answers: readonly Answer[]): Answer[] {
  return answers.toSorted((a, b) => weight.indexOf(a.action) - weight.indexOf(b.action));
}

/** The headline, the same of report, picture, comment, chat and terminal. */
export function topSentence({ firstScreen }: Summary): string {
  return firstScreen.headline;
}
