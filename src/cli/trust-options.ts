import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { AskTrust } from '../app/plan/trusted-plan.ts';
import { H2h3Error } from '../core/model/errors.ts';
import type { CommandContext } from './commands/command.ts';
import { plainText } from './plain-text.ts';

/** What commands take that carry out a plan of somebody else. */
export interface TrustFlags {
  readonly trust?: boolean;
  readonly trustAll?: boolean;
}

export function addTrustOptions(command: Command): Command {
  return command
    .option('--trust', 'ask before each thing that the plan would start, read or reach')
    .option('--trust-all', 'let the plan start, read and reach what it names, and list that');
}

/** How the user is asked; undefined where nothing was allowed. Each question is put once. */
export function askTrustOf(
  { trust, trustAll }: TrustFlags,
  { progress }: Pick<CommandContext, 'progress'>,
): AskTrust | undefined {
  if (trust !== true && trustAll !== true) return undefined;
  const answers = new Map<string, boolean>();
  return async (act) => {
    const { actWords } = await import('../app/plan/trusted-plan.ts');
    const words = actWords(act);
    const known = answers.get(words);
    if (known !== undefined) return known;
    if (trustAll === true) progress.say(`allowed: ${words}`);
    const answer = trustAll === true || (await yesAtTerminal(`The plan ${words}. Allow it? [y/N] `));
    answers.set(words, answer);
    return answer;
  };
}

/** @throws H2h3Error `usage` where nobody can answer, `interrupted` at Ctrl-C */
async function yesAtTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new H2h3Error('usage', '--trust asks at a terminal, and there is none', {
      next: 'Run it at a terminal, or allow everything that the plan names with --trust-all.',
    });
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new AbortController();
  lines.on('SIGINT', () => stopped.abort());
  lines.on('close', () => stopped.abort());
  try {
    return /^y(?:es)?$/i.test((await lines.question(plainText(question), { signal: stopped.signal })).trim());
  } catch (thrown) {
    throw new H2h3Error('interrupted', 'the question was not answered', { cause: thrown });
  } finally {
    lines.close();
  }
}
