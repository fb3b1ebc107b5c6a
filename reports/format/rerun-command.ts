import { factorsOfLabel } from '../../src/core/factors/arm-text.ts';
import { shellWord, wordsWithout } from '../../src/core/model/command-words.ts';
import type { Summary } from '../../src/core/model/summary.ts';

/** A command as it is typed where h2h3 is installed for one folder, as a checkout or a package. */
export function typed(command: string): string {
  return command.replaceAll(/(?<=^|&& )h2h3\b/g, 'npx h2h3');
}

type Condition = Pick<Summary['troubles'][number], 'workload' | 'client' | 'network' | 'server'>;

/** Options that the command of a single condition sets itself, each with a value. */
const replaced: readonly string[] = [
  '--out',
  '--resume',
  '--workload',
  '--sites',
  '--client',
  '--network',
  '--server',
  '--repetitions',
  '--budget',
];

/**
 * The command that measures one condition of a run again, both arms in one block; null where its parts cannot be named
 * on a command line: points of a grid, live addresses, and runs that were not started by `h2h3 run`.
 */
export function rerunCommand(summary: Summary, condition: Condition): string | null {
  const { run, grid } = summary;
  if (grid !== undefined || !/^h2h3 run\b/.test(run.command) || /--url\b/.test(run.command)) return null;
  // What arms set they say themselves.
  const named = run.arms.map(factorsOfLabel);
  const option = (name: 'client' | 'network' | 'server'): string[] =>
    named.some((factors) => factors[name] !== undefined) ? [] : [`--${name}`, shellWord(condition[name])];
  return [
    ...wordsWithout(run.command, replaced).filter((word) => word !== '--exploratory'),
    '--workload',
    shellWord(condition.workload),
    ...option('client'),
    ...option('network'),
    ...option('server'),
    '--repetitions',
    '1',
    '--exploratory',
  ].join(' ');
}
