import type { Answer } from '../../src/core/model/answer.ts';
import { minutesText } from '../format/numbers.ts';
import { typed } from '../format/rerun-command.ts';
import { code, plain } from './markdown-text.ts';

/** What to do about an answer, with the command and the time of the next measurement, and what costs less. */
export function nextStep({ advice, command, minutes, cheaper }: Answer): string {
  const took = minutesText(minutes);
  const next = command === null ? '' : ` ${code(typed(command))}${took && ` (${took})`}`;
  return `**${plain(advice)}**${next}${cheaper === undefined ? '' : ` ${plain(cheaper)}`}`;
}
