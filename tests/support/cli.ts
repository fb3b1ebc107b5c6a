import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentSchema, type Environment } from '../../src/core/model/environment.ts';
import { gateSchema, type Gate } from '../../src/core/model/gate.ts';
import { planSchema, type Plan } from '../../src/core/model/plan.ts';
import { trialRecordSchema, type TrialRecord } from '../../src/core/model/record.ts';
import { summarySchema, type Summary } from '../../src/core/model/summary.ts';
import { testEnvironment } from './test-scope.ts';
import { withVariables } from './with-variables.ts';

export const projectDir = join(import.meta.dirname, '..', '..');

/** Of a run that is about something else than its browser: a trial in the headless shell takes less CPU time than in a full Chromium. */
export const lightBrowser = ['--client', 'embedded'] as const;

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No command of a test is silent for a third of it, but for one that says so: what is hangs. */
const usualHungMs = 15 * 60_000;

interface StartOptions {
  readonly detached?: boolean;
  /** After so long without a word it is killed. Default: 15 minutes. */
  readonly hungMs?: number;
}

/** Of a command that has ended. */
type Said = Pick<CliResult, 'code' | 'stdout' | 'stderr'>;

/** What commands of this test have said of the folders that they were given, the last first. */
const saidOf: { readonly words: readonly string[]; readonly result: Said }[] = [];

/** Text of a run's file. @throws AssertionError with what the run said, where it has left no such file */
export function readRunFile(runDir: string, ...names: readonly string[]): string {
  const file = join(runDir, ...names);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const isIn = (word: string): boolean => runDir === word || runDir.startsWith(`${word}/`);
  const said = saidOf.find(({ words }) => words.some(isIn))?.result;
  const told =
    said === undefined ? 'no command of this test has ended' : `exit code ${said.code}: ${said.stderr}`;
  return assert.fail(`there is no ${file}; ${told}`);
}

export interface RunningCli {
  readonly child: ChildProcess;
  /** Rejects with what it has said, where it had to be killed because it hung. */
  readonly result: Promise<CliResult>;
  /** Resolves when standard error has matched. */
  said(pattern: RegExp): Promise<void>;
  /** Resolves when `condition` holds. Rejects with what it has said, where it ends before. */
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<void>;
}

/** Starts `h2h3` as a user would, in the checkout. */
export function startCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  options: StartOptions = {},
): RunningCli {
  const program = [process.execPath, join(projectDir, 'src/cli/launcher.js'), ...args];
  return startProgram(program, environment, options);
}

/** Starts a command line in the checkout, or in another folder. */
export function startProgram(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { hungMs = usualHungMs, ...options }: StartOptions & { readonly cwd?: string } = {},
): RunningCli {
  const child = spawn(program, args, {
    cwd: projectDir,
    env: { ...process.env, ...testEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    hung.refresh();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    hung.refresh();
    listeners.forEach((listener) => listener());
  });
  let isHung = false;
  const hung = setTimeout(() => {
    isHung = true;
    child.kill('SIGKILL');
  }, hungMs);
  const result = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(hung);
      if (isHung)
        reject(new Error(`${[program, ...args].join(' ')} hung and was killed; it said: ${stderr}`));
      const ended = { code, signal, stdout, stderr };
      saidOf.unshift({ words: args, result: ended });
      resolve(ended);
    });
  });
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!pattern.test(stderr)) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      check();
      void result.then(({ code }) =>
        reject(new Error(`ended with ${code} before saying ${pattern}: ${stderr}`)),
      );
    });
  const until: RunningCli['until'] = async (what, condition) => {
    let over = false;
    const end = (): void => void (over = true);
    result.then(end, end);
    while (!(await condition())) {
      if (over) {
        const { code, stderr } = await result;
        throw new Error(`ended with ${code} before ${what}: ${stderr}`);
      }
      await sleep(50);
    }
  };
  return { child, result, said, until };
}

export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return startCli(args, environment).result;
}

/**
 * Carries a command line out in this process, where starting Node for it would take most of the time: for help, for what is refused
 * before anything begins, and for what judges or writes of runs that are whole. One at a time where variables are given.
 */
export async function runCliHere(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const { runCommandLine } = await import('../../src/cli/program.ts');
  const { TerminalProgress } = await import('../../src/cli/progress.ts');
  let stdout = '';
  let stderr = '';
  const writeError = (text: string): boolean => {
    stderr += text;
    return true;
  };
  // Secrets are read of the process's own variables, where they are needed.
  const code = await withVariables(variables, () =>
    runCommandLine(args, {
      passSignals: () => () => undefined,
      progress: new TerminalProgress({ isTTY: false, columns: 80, write: writeError }),
      signal: new AbortController().signal,
      environment: process.env,
      writeOut: (text) => void (stdout += text),
      writeError,
    }),
  );
  const result = { code, stdout, stderr };
  saidOf.unshift({ words: args, result });
  return result;
}

/** @throws as `readRunFile` */
export function readPlan(runDir: string): Plan {
  return planSchema.parse(JSON.parse(readRunFile(runDir, 'plan.json')));
}

/** @throws as `readRunFile` */
export function readSummary(runDir: string): Summary {
  return summarySchema.parse(JSON.parse(readRunFile(runDir, 'summary.json')));
}

/** @throws as `readRunFile` */
export function readGate(runDir: string): Gate {
  return gateSchema.parse(JSON.parse(readRunFile(runDir, 'gate.json')));
}

/** @throws as `readRunFile` */
export function readEnvironment(runDir: string): Environment {
  return environmentSchema.parse(JSON.parse(readRunFile(runDir, 'environment.json')));
}

/** @throws as `readRunFile` */
export function readRecords(runDir: string): TrialRecord[] {
  const lines = readRunFile(runDir, 'journal.jsonl').split('\n');
  return lines.filter((line) => line !== '').map((line) => trialRecordSchema.parse(JSON.parse(line)));
}

/** Command lines of living processes with `needle` in their environment (Linux). */
export function processesWith(needle: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
        return environment.includes(needle)
          ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')]
          : [];
      } catch {
        return []; // ended meanwhile
      }
    });
}
