import { H2h3Error } from '../core/model/errors.ts';
import { exitCodeOf } from '../core/model/exit-codes.ts';
import { h2h3Words, nextStep, type ProgramWords } from '../core/model/program-words.ts';
import { systemError } from '../core/model/system-error.ts';

/** Where a failure happened. */
export interface FailedPlace {
  /** What says it. Default: that of the words. */
  readonly command?: string;
  /** What sentences send people to. Default: h2h3's. */
  readonly words?: ProgramWords;
  /** What to do about a wrong command line where the failure itself does not say. Default: nothing is said. */
  readonly usualNext?: string | undefined;
}

/** Says what failed, where, expected against got, and what to do next; returns the exit code. */
export function printError(
  failure: unknown,
  say: (line: string) => void,
  { words = h2h3Words, command = words.name, usualNext }: FailedPlace = {},
): number {
  const thrown = systemError(failure) ?? failure;
  if (!(thrown instanceof H2h3Error)) {
    const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    say(`${command}: a fault of ${command} itself: ${detail}`);
    say('  next: please report it with the command and this text.');
    return exitCodeOf('internal');
  }
  say(`${command}: ${thrown.message}`);
  const { stderrTail, ...context } = thrown.context;
  for (const [name, value] of Object.entries(context)) {
    if (value !== undefined && !thrown.message.includes(String(value))) say(`  ${name}: ${value}`);
  }
  if (stderrTail !== undefined && stderrTail !== '')
    say(`  last lines of the program:\n    ${stderrTail.split('\n').join('\n    ')}`);
  const next = nextStep(thrown, words, usualNext);
  if (next !== undefined) say(`  next: ${next}`);
  return exitCodeOf(thrown.code);
}
