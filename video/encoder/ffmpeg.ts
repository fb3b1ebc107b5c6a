import { spawn } from 'node:child_process';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { guarded } from '../../src/core/system/processes/process-guard.ts';
import { interruption, throwIfInterrupted } from './interruption.ts';

export interface FfmpegRun {
  readonly ffmpegPath: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Length of what is encoded (s), for progress. */
  readonly totalSeconds?: number;
  readonly onProgress?: (fraction: number) => void;
}

const stderrTailLines = 12;
const stderrKeptBytes = 64_000;

/** First line of `ffmpeg -version`: part of every cache key. @throws H2h3Error `unsupported`, `process-failed` */
export async function ffmpegVersion(ffmpegPath: string, signal: AbortSignal): Promise<string> {
  const output = await runFfmpeg({ ffmpegPath, args: ['-version'], signal });
  return output.split('\n', 1)[0]?.trim() ?? '';
}

/**
 * Runs ffmpeg to its end and returns its standard output.
 * @throws H2h3Error `unsupported` when it is missing, `storage` when the disk is full, `interrupted`,
 * `process-failed` with the last lines of stderr otherwise.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<string> {
  return (await runToEnd(run)).stdout;
}

export interface FfmpegOutput {
  readonly stdout: string;
  /** The last 64 kB: its log. */
  readonly stderr: string;
}

/** The same, for what it logs as well. @throws H2h3Error as `runFfmpeg` */
export async function runToEnd(run: FfmpegRun): Promise<FfmpegOutput> {
  throwIfInterrupted(run.signal);
  return guarded((marker) => runMarked(run, marker));
}

async function runMarked(run: FfmpegRun, marker: Readonly<Record<string, string>>): Promise<FfmpegOutput> {
  const child = spawn(run.ffmpegPath, [...run.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...marker },
    signal: run.signal,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(-stderrKeptBytes);
    const fraction = progressFraction(text, run.totalSeconds);
    if (fraction !== undefined) run.onProgress?.(fraction);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrKeptBytes);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((thrown: unknown) => {
    throw run.signal.aborted ? interruption() : startFailure(run.ffmpegPath, thrown);
  });
  throwIfInterrupted(run.signal);
  if (code !== 0) throw exitFailure(code, stderr);
  return { stdout, stderr };
}

/** `-progress` writes `out_time_us` (before ffmpeg 4.2 only `out_time_ms`, microseconds as well). */
export function progressFraction(text: string, totalSeconds: number | undefined): number | undefined {
  const last = [...text.matchAll(/^out_time_(?:us|ms)=(\d+)/gm)].at(-1)?.[1];
  if (last === undefined || totalSeconds === undefined) return undefined;
  return Math.min(1, Number(last) / 1_000_000 / totalSeconds);
}

/** Frames written so far by the last report of `-progress`; 0 before the first. */
export function progressFrames(text: string): number {
  return Number([...text.matchAll(/^frame=\s*(\d+)/gm)].at(-1)?.[1] ?? 0);
}

function startFailure(ffmpegPath: string, thrown: unknown): H2h3Error {
  const missing = hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'EACCES');
  return new H2h3Error(missing ? 'unsupported' : 'process-failed', 'ffmpeg cannot be started', {
    context: { file: ffmpegPath },
    next: 'npx h2h3 setup fetches an ffmpeg, or install one (for example: apt-get install ffmpeg)',
    cause: thrown,
  });
}

function exitFailure(code: number | null, stderr: string): H2h3Error {
  const stderrTail = stderr.trimEnd().split('\n').slice(-stderrTailLines).join('\n');
  if (/No space left on device/i.test(stderr)) {
    return new H2h3Error('storage', 'the disk is full: ffmpeg could not write', {
      context: { stderrTail },
      next: 'free some space and run it again',
    });
  }
  return new H2h3Error('process-failed', 'ffmpeg failed', {
    context: { expected: 'exit code 0', got: code === null ? 'ended by a signal' : String(code), stderrTail },
    next: 'npx h2h3 doctor says which ffmpeg is used',
  });
}
