import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newestFirst } from '../../../harness/tools/version-order.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { packageDirOf } from '../../core/system/module-file.ts';
import type { Answer, Arguments, Operations } from './operations.ts';
import { progressTo, type ProgressEvent } from './progress-event.ts';
import type { AnswerMessage, CallMessage } from './protocol.ts';

/** How a call is made. */
export interface CallOptions {
  /** Told how far it is. Default: nothing is told. */
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** Ends the call, its browsers and servers; it then rejects with the code `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Folder of tools and everything generated. Default: that of the user. */
  readonly cacheDir?: string | undefined;
}

/** Calls a use case: here where this Node is new enough, else in a process of the pinned one. @throws H2h3Error */
export async function call<Name extends keyof Operations>(
  name: Name,
  parameters: Arguments<Name>,
  options: CallOptions = {},
): Promise<Answer<Name>> {
  if (!isNewEnough(process.versions.node))
    return (await callElsewhere(name, parameters, options)) as Answer<Name>;
  const { onProgress = () => undefined, signal = new AbortController().signal, cacheDir } = options;
  const { operations } = await import('./operations.ts');
  const context = {
    projectDir: realpathSync(packageDirOf(import.meta.url)),
    progress: progressTo(onProgress),
    signal,
    command: `h2h3 ${name}`,
    environment: cacheDir === undefined ? process.env : { ...process.env, H2H3_CACHE: cacheDir },
  };
  const called = operations[name] as (...all: readonly unknown[]) => Promise<Answer<Name>>;
  return called(context, ...parameters);
}

/** Whether everything runs on a version of Node, by the launcher's own list. */
function isNewEnough(version: string): boolean {
  const file = join(packageDirOf(import.meta.url), 'src', 'cli', 'pinned-node.json');
  const { least } = JSON.parse(readFileSync(file, 'utf8')) as { readonly least: string };
  return newestFirst(version, least) <= 0;
}

async function callElsewhere(
  operation: string,
  parameters: readonly unknown[],
  { onProgress, signal, cacheDir }: CallOptions,
): Promise<unknown> {
  const launcher = join(packageDirOf(import.meta.url), 'src', 'cli', 'launcher.js');
  const child = spawn(process.execPath, [launcher, 'serve-call'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const stop = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const message: CallMessage = { operation, parameters, cacheDir };
  child.stdin.on('error', () => undefined); // a program that could not start is reported by its end
  child.stdin.write(`${JSON.stringify(message)}\n`);
  let last: AnswerMessage | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as AnswerMessage;
    if (answer.type === 'progress') onProgress?.(answer.event);
    else last = answer;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  signal?.removeEventListener('abort', stop);
  if (last?.type === 'done') return last.value;
  if (last?.type === 'failed') {
    const { code, message: text, context, next } = last;
    throw new H2h3Error(code, text, { context, ...(next === undefined ? {} : { next }) });
  }
  if (signal?.aborted === true) throw new H2h3Error('interrupted', 'the call was ended');
  throw new H2h3Error('process-failed', `h2h3 ended with ${exitCode ?? 'a signal'} without an answer`);
}
