import { H2h3Error } from '../core/model/errors.ts';
import { exitCodeOf } from '../core/model/exit-codes.ts';
import { systemError } from '../core/model/system-error.ts';

/** Where a failure happened. */
export interface FailedPlace {
  /** What says it. Default: h2h3. */
  readonly command?: string;
  /** What to do about a wrong command line where the failure itself does not say. Default: nothing is said. */
  readonly usualNext?: string | undefined;
}

/** Says what failed, where, expected against got, and what to do next; returns the exit code. */
export function printError(
  failure: unknown,
  say: (line: string) => void,
  { command = 'h2h3', usualNext }: FailedPlace = {},
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
  const next = thrown.next ?? (thrown.code === 'usage' ? usualNext : undefined);
  if (next !== undefined) say(`  next: ${next}`);
  return exitCodeOf(thrown.code);
}
