import { spawn } from 'node:child_process';
import { H2h3Error, hasErrno } from '../model/errors.ts';
import { guarded } from './processes/process-guard.ts';

export interface ProgramOptions {
  /** The program is killed after this long, in ms. */
  readonly timeoutMs: number;
  /** Whole environment of the program; the process's own when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What it reads from its standard input; nothing when left out. */
  readonly input?: string;
  /** Called with each whole line of standard error as it comes. */
  readonly onStderrLine?: (line: string) => void;
  /** Ends the program when the user asks to stop. */
  readonly signal?: AbortSignal;
  /** Goes on where this process is killed, because what it does must not stop half-way. Default: it is ended too. */
  readonly outlives?: boolean;
}

export interface ProgramResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program and gathers what it wrote; passed in, so that tests need no real programs. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  options: ProgramOptions,
) => Promise<ProgramResult>;

/** Last lines of a program's output, for error messages. */
export function tailOf(text: string, lineCount = 12): string {
  return text.trimEnd().split('\n').slice(-lineCount).join('\n');
}

/**
 * Runs a program to its end; it is ended where this process is killed before. A non-zero exit code is a result, not an error.
 * @throws H2h3Error `unsupported` when there is no such program, `deadline` when it took longer than `timeoutMs`.
 */
export const runProgram: RunProgram = (command, args, options) => {
  const { environment = process.env } = options;
  if (options.outlives === true) return run(command, args, options, environment);
  return guarded((marker) => run(command, args, options, { ...environment, ...marker }));
};

const run = (
  command: string,
  args: readonly string[],
  options: ProgramOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    // A program need not read what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
    let stdout = '';
    let stderr = '';
    let unfinishedLine = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
      // A grandchild may hold the pipes open for ever; what was read so far is enough for the message.
      child.stdout.destroy();
      child.stderr.destroy();
    }, options.timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      const lines = (unfinishedLine + text).split('\n');
      unfinishedLine = lines.pop() ?? '';
      lines.forEach((line) => options.onStderrLine?.(line));
    });
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(startError(command, cause));
    });
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      if (timedOut) reject(timeoutError(command, args, options.timeoutMs, stderr));
      else resolve({ exitCode, stdout, stderr });
    });
  });

function startError(command: string, cause: Error): H2h3Error {
  if (cause.name === 'AbortError')
    return new H2h3Error('interrupted', `${command} was interrupted`, { cause });
  const what = hasErrno(cause, 'ENOENT') ? 'there is no such program' : cause.message;
  return new H2h3Error('unsupported', `Cannot start ${command}: ${what}`, { cause });
}

function timeoutError(
  command: string,
  args: readonly string[],
  timeoutMs: number,
  stderr: string,
): H2h3Error {
  return new H2h3Error('deadline', `${command} did not end within ${timeoutMs / 1000} s`, {
    context: { command: [command, ...args].join(' '), stderrTail: tailOf(stderr) },
  });
}
