import type { Answer } from '../../src/core/model/answer.ts';
import { minutesText } from '../format/numbers.ts';
import { typed } from '../format/rerun-command.ts';
import { inOrderOfWeight } from '../format/top-sentence.ts';
import { wrap } from './terminal-text.ts';

/** What to do next, with its time, its command and what costs less: of the answer that asks for most. Nothing without one. */
export function nextStepLines(answers: readonly Answer[], columns: number): string[] {
  const [answer] = inOrderOfWeight(answers);
  if (answer === undefined) return [];
  const { advice, command, minutes, cheaper } = answer;
  const took = minutesText(minutes);
  return [
    ...wrap(`Next${took && ` (${took})`}: ${advice}`, columns),
    ...(command === null ? [] : [`  ${typed(command)}`]),
    ...(cheaper === undefined ? [] : wrap(cheaper, columns)),
  ];
}
