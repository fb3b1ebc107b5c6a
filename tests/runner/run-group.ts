import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { projectDir } from '../support/cli.ts';
import { ownNetwork } from './own-network.ts';
import { filesIn, type FileGroup } from './selection.ts';
import type { TestEvent } from './test-events.ts';

const reporter = join(import.meta.dirname, 'test-events.ts');
const keptChars = 10_000;
/** No test takes a quarter of it: what does hangs, and is named instead of keeping the run for ever. */
const hungMs = 20 * 60_000;
/** A file whose tests have ended, but not what they started, ends by itself never. */
const silentMs = hungMs + 60_000;

/** How a group of test files ended. */
export interface GroupEnd {
  /** Whether its test runner came to its own end. */
  readonly whole: boolean;
  /** Exit code, or the signal that ended it. */
  readonly how: string;
  /** The last of what it wrote to standard error. */
  readonly said: string;
}

/** Runs the files of a group in a process of their own, and hands on what is told of them. */
export async function runGroup(
  group: FileGroup,
  signal: AbortSignal,
  told: (event: TestEvent) => void,
): Promise<GroupEnd> {
  const { concurrency } = group;
  const alone = concurrency === null ? '--test-isolation=none' : `--test-concurrency=${concurrency}`;
  const limits = [alone, `--test-timeout=${hungMs}`];
  const args = ['--test', '--disable-warning=ExperimentalWarning', ...limits, `--test-reporter=${reporter}`];
  const files = filesIn(group);
  const beganMs = performance.now();
  const [program = '', ...words] = [
    ...(group.ownNetwork === true ? ownNetwork() : []),
    process.execPath,
    ...args,
    ...files,
  ];
  const child = spawn(program, words, {
    cwd: projectDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let whole = false;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-keptChars)));
  const silence = setTimeout(() => {
    said += `no test ended for ${silentMs / 60_000} minutes`;
    stop();
  }, silentMs);
  createInterface({ input: child.stdout }).on('line', (line) => {
    silence.refresh();
    const event = eventIn(line);
    whole ||= event?.type === 'end';
    if (event !== undefined) told(event);
  });
  const how = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`));
  });
  clearTimeout(silence);
  signal.removeEventListener('abort', stop);
  const [file] = files;
  // The test runner times files only where each has a process below its own.
  if (concurrency === null && file !== undefined && files.length === 1)
    told({ type: 'file', file: join(projectDir, file), durationMs: performance.now() - beganMs });
  return { whole, how, said };
}

/** Tests that share a process with the runner may write between its lines. */
function eventIn(line: string): TestEvent | undefined {
  const at = line.indexOf('{"type":"');
  if (at === -1) return undefined;
  try {
    return JSON.parse(line.slice(at)) as TestEvent;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
