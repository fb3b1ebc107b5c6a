import type { Answer, AnswerAction } from '../../src/model/answer.ts';
import type { Summary } from '../../src/model/summary.ts';
import { nothingCompared } from './counts.ts';

const weight: readonly AnswerAction[] = [
  ...(['do-not', 'by-workload', 'do', 'either'] as const),
  ...(['measure-more', 'measure-network', 'none'] as const),
];

/** What asks for most comes first; of the same weight as they come. */
export function inOrderOfWeight(answers: readonly Answer[]): Answer[] {
  return answers.toSorted((a, b) => weight.indexOf(a.action) - weight.indexOf(b.action));
}

/**
 * The sentence that stands on top, the same of report, picture, comment and chat: the gate's, where the run was one; of
 * several answers the one for all together, else the weightiest; else the headline's.
 */
export function topSentence(summary: Summary): string {
  const { headline, caveats = [], overview = [], gateOutcome } = summary;
  const answers = inOrderOfWeight(summary.answers ?? []);
  const told = headline.find((sentence) => !caveats.includes(sentence));
  if (gateOutcome !== undefined && told !== undefined) return told;
  // A sentence that tells of one answer alone would hide a weightier one.
  const together = overview.find((one) => !answers.some(({ sentence }) => sentence === one));
  if (answers.length > 1 && together !== undefined) return together;
  return answers[0]?.sentence ?? told ?? headline[0] ?? nothingCompared(summary);
}
