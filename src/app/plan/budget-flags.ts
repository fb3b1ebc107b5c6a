import { existsSync } from 'node:fs';
import { H2h3Error } from '../../core/model/errors.ts';
import { readYaml, writtenWords } from '../../plan/yaml-text.ts';
import { readInput } from '../../core/system/read-input.ts';
import { parseDuration } from '../duration.ts';

/** What `--budget` says: how long a run may take, and limits that metrics must keep. */
export interface BudgetFlags {
  readonly budgetMs: number | undefined;
  /** As plan files have them; undefined where none is given. */
  readonly budgets: string[] | undefined;
}

/** A time (`20m`), a limit (`lcp<2500ms`), or a file of limits; each as often as wanted, a time once. @throws H2h3Error `usage` or `bad-input` */
export function readBudgetFlags(texts: readonly string[]): BudgetFlags {
  const times = texts.filter((text) => /^\d+(?:\.\d+)?[a-z]*$/.test(text));
  if (times.length > 1)
    throw new H2h3Error('usage', `--budget says two times: ${times.join(' and ')}`, {
      next: 'One limits the run; limits of metrics are written such as lcp<2500ms.',
    });
  const limits = texts
    .filter((text) => !times.includes(text))
    .flatMap((text) => (/[<>]/.test(text) ? [text] : readBudgetsFile(text)));
  return {
    budgetMs: times[0] === undefined ? undefined : parseDuration(times[0]),
    budgets: limits.length === 0 ? undefined : limits,
  };
}

/** A list of limits, or metrics with their limits: `lcp: 2500ms`, which then is the most, or `throughput: '>20mbit/s'`. */
function readBudgetsFile(file: string): string[] {
  if (!existsSync(file))
    throw new H2h3Error('usage', `not a duration, a limit or a file: "${file}"`, {
      context: { expected: "a time such as 20m, a limit such as 'lcp<2500ms', or a file of limits" },
    });
  const next = 'Write a budget a line, such as `lcp: 2500ms` or `- lcp<2500ms`.';
  const wordsOf = (budget: unknown, name: string): string => {
    const words = writtenWords(budget)?.trim();
    if (words !== undefined) return words;
    throw new H2h3Error('bad-input', `${file}: ${name} holds no budget`, { context: { file }, next });
  };
  const { value } = readYaml(readInput(file, { what: 'budgets', next }).toString('utf8'), file);
  if (Array.isArray(value) && value.length > 0)
    return value.map((budget, index) => wordsOf(budget, `entry ${index + 1}`));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([metric, limit]) => {
      const text = wordsOf(limit, metric);
      return /^[<>]/.test(text) ? `${metric}${text}` : `${metric}<${text}`;
    });
  throw new H2h3Error('bad-input', `${file} holds no budgets`, { context: { file }, next });
}
