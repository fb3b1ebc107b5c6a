import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LinkChange, OwnNetwork } from '../exec/link-types.ts';
import type { PathOrder, PathQuestion } from '../exec/path-message.ts';
import type { PathAnswer } from '../exec/path-answers.ts';
import { ownWords, packageDir } from '../version.ts';

/** What is asked for of a path. */
export interface LinkRequest {
  /** By name; null: by its figures. */
  readonly network: string | null;
  readonly own: OwnNetwork;
  /** Factors of the link by name. */
  readonly set: Readonly<Record<string, string>>;
  readonly localPorts: readonly number[];
  /** Whether something must listen at them already. */
  readonly listenersRequired: boolean;
  readonly check: boolean;
}

/** An answer by its type. */
export type AnswerOf<Type extends PathAnswer['type']> = Extract<PathAnswer, { readonly type: Type }>;

/** A path that another process keeps up for this one, and ends with it. */
export interface PathLink {
  readonly opened: AnswerOf<'open'>;
  /** A program that starts the given one behind the path. */
  wrap(program: string): Promise<AnswerOf<'wrapped'>>;
  begin(seed: number): Promise<void>;
  count(): Promise<AnswerOf<'counted'>>;
  change(figures: LinkChange | 'outage'): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error in the words of the package where there can be no such path */
export async function openLink(request: LinkRequest): Promise<PathLink> {
  const { name } = ownWords();
  const launcher = join(packageDir(), 'src', 'cli', 'launcher.js');
  const child = spawn(process.execPath, [launcher, 'serve-path'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C is for Playwright, which then closes this end.
    detached: true,
  });
  child.stdin.on('error', () => undefined); // a program that could not start is reported by its end
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  const ask = async <Type extends PathAnswer['type']>(
    message: PathQuestion | PathOrder,
    type: Type,
  ): Promise<AnswerOf<Type>> => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value } = await lines.next();
    if (value === undefined)
      throw new Error(`${name} ended with ${String(child.exitCode)}, and the path with it`);
    return answerIn(value, type, name);
  };
  const close = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  const set = Object.entries(request.set).map(([name, value]) => `${name}=${value}`);
  const opened = await ask({ ...request, set, localPorts: [...request.localPorts] }, 'open').catch(
    async (thrown: unknown) => {
      await close();
      throw thrown;
    },
  );
  return {
    opened,
    wrap: (program) => ask({ type: 'wrap', program }, 'wrapped'),
    begin: async (seed) => void (await ask({ type: 'begin', seed }, 'begun')),
    count: () => ask({ type: 'count' }, 'counted'),
    change: async (asked) => void (await ask(changeQuestion(asked), 'changed')),
    close,
  };
}

/** What is asked of a path that is to change. */
export const changeQuestion = (asked: LinkChange | 'outage'): PathQuestion => ({
  type: 'change',
  figures: asked === 'outage' ? { outage: true as const } : asked,
});

/** A line as the answer that was expected. @throws Error in the words of the package for a failure, and for any other */
export function answerIn<Type extends PathAnswer['type']>(
  line: string,
  type: Type,
  name: string,
): AnswerOf<Type> {
  const answer = JSON.parse(line) as PathAnswer;
  if (answer.type === type) return answer as AnswerOf<Type>;
  throw new Error(
    answer.type === 'failed' ? answerFailureText(name, answer) : `${name} answers ${answer.type} to ${type}`,
  );
}

function answerFailureText(program: string, { message, context, next }: AnswerOf<'failed'>): string {
  const facts = Object.entries(context).map(([name, value]) => `  ${name}: ${String(value)}`);
  return [`${program}: ${message}`, ...facts, ...(next === undefined ? [] : [`  next: ${next}`])].join('\n');
}
