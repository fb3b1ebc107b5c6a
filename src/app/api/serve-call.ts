import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import type { AppContext } from '../app-context.ts';
import { operations } from './operations.ts';
import { progressTo } from './progress-event.ts';
import type { AnswerMessage, CallMessage } from './protocol.ts';

/**
 * Answers one call of a program that runs on another Node: reads a `CallMessage` from `input`, writes `AnswerMessage`
 * lines.
 */
export async function serveCall(
  input: NodeJS.ReadableStream,
  send: (line: string) => void,
  context: AppContext,
): Promise<void> {
  const answer = (message: AnswerMessage): void => send(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input });
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  const { operation, parameters, cacheDir } = JSON.parse(line) as CallMessage;
  const environment =
    cacheDir === undefined ? context.environment : { ...context.environment, H2H3_CACHE: cacheDir };
  const progress = progressTo((event) => answer({ type: 'progress', event }));
  try {
    const called = operations[operation as keyof typeof operations] as (
      context: AppContext,
      ...rest: readonly unknown[]
    ) => Promise<unknown>;
    const value = await called({ ...context, progress, environment }, ...parameters);
    answer({ type: 'done', value });
  } catch (thrown) {
    const known = thrown instanceof H2h3Error ? thrown : new H2h3Error('internal', messageOf(thrown));
    const { code, message, next } = known;
    answer({ type: 'failed', code, message, context: known.context, next });
  }
}
