import { z } from 'zod';
import { jsonOf, parseForeignJson } from '../../core/model/bounded-json.ts';
import type { NetworkDescription } from '../../core/model/environment.ts';
import { H2h3Error, messageOf, type ErrorContext } from '../../core/model/errors.ts';
import { h2h3Words, nextStep } from '../../core/model/program-words.ts';
import type { LinkFlow } from '../../core/model/raw-trial.ts';
import type { AppContext } from '../app-context.ts';
import type { OpenPath } from './open-path.ts';
import type { PathQuestion } from './path-message.ts';

/** What is answered of a path, a line of JSON each. */
export type PathAnswer =
  | { readonly type: 'open'; readonly description: NetworkDescription; readonly lines: readonly string[] }
  | {
      readonly type: 'wrapped';
      /** The program that stands for the one behind the path. */
      readonly file: string;
      /** Written when it is started. */
      readonly startedFile: string;
    }
  | { readonly type: 'begun' }
  | { readonly type: 'changed' }
  | {
      readonly type: 'counted';
      /** Cumulative. */
      readonly counters: Readonly<Record<string, number>>;
      /** Since `begin`. */
      readonly flows: readonly LinkFlow[] | null;
    }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly context: ErrorContext;
      readonly next: string | undefined;
    };

/** A failure as an answer, in the words of the program. */
export function failureAnswer(
  thrown: unknown,
  { program = h2h3Words }: Pick<AppContext, 'program'>,
): PathAnswer {
  const known = thrown instanceof H2h3Error ? thrown : new H2h3Error('internal', messageOf(thrown));
  return { type: 'failed', message: known.message, context: known.context, next: nextStep(known, program) };
}

/** A line of JSON by its form. @throws H2h3Error `usage` for a line of another form */
export function readAs<T>(schema: z.ZodType<T>, line: string): T {
  const read = schema.safeParse(jsonOf(line, parseForeignJson));
  if (read.success) return read.data;
  throw new H2h3Error('usage', `the path is asked for what it has not: ${z.prettifyError(read.error)}`);
}

/** Answers what is asked of a path that is up. @param since counters that are taken off. Default: none */
export async function answerOf(
  question: Extract<PathQuestion, { readonly type: 'change' | 'count' }>,
  path: Pick<OpenPath, 'change' | 'counters' | 'flows'>,
  since: Readonly<Record<string, number>> = {},
): Promise<PathAnswer> {
  if (question.type === 'change') {
    await path.change(question.figures);
    return { type: 'changed' };
  }
  return { type: 'counted', counters: risen(await path.counters(), since), flows: await path.flows() };
}

/** By how much each counter rose. */
export function risen(
  counters: Readonly<Record<string, number>>,
  since: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counters).map(([name, count]) => [name, count - (since[name] ?? 0)]),
  );
}
