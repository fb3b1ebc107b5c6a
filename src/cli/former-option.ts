import { Option, type Command } from 'commander';
import type { Progress } from '../app/app-context.ts';

/**
 * Lets a command take an option under the name that it had before, which no help shows, with one line that names the new one.
 *
 * @param former as it was declared, such as `--looks <list>`
 * @param now name of today, one word without dashes; such an option must be declared
 */
export function addFormerOption(
  command: Command,
  former: string,
  now: string,
  progress: Pick<Progress, 'say'>,
): Command {
  const option = new Option(former).hideHelp();
  return command.addOption(option).on(`option:${option.name()}`, (value: string | null) => {
    command.setOptionValueWithSource(now, value ?? true, 'cli');
    progress.say(`h2h3: --${option.name()} is now --${now}. The old name is still read.`);
  });
}
