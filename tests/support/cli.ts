import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { planSchema, type Plan } from '../../src/model/plan.ts';
import { trialRecordSchema, type TrialRecord } from '../../src/model/record.ts';
import { testEnvironment } from './test-scope.ts';

export const projectDir = join(import.meta.dirname, '..', '..');

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
  /** Resolves when standard error has matched. */
  said(pattern: RegExp): Promise<void>;
}

/** Starts `h2h3` as a user would, in the checkout. */
export function startCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  options: { readonly detached?: boolean } = {},
): RunningCli {
  const program = [process.execPath, join(projectDir, 'src/cli/launcher.js'), ...args];
  return startProgram(program, environment, options);
}

/** Starts a command line in the checkout, or in another folder. */
export function startProgram(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  options: { readonly detached?: boolean; readonly cwd?: string } = {},
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
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    listeners.forEach((listener) => listener());
  });
  const result = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
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
  return { child, result, said };
}

export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return startCli(args, environment).result;
}

/**
 * Carries a command line out in this process, where starting Node for it would take most of the time: for help, and for what is
 * refused before anything begins.
 */
export async function runCliHere(
  args: readonly string[],
): Promise<Pick<CliResult, 'code' | 'stdout' | 'stderr'>> {
  const { runCommandLine } = await import('../../src/cli/program.ts');
  const { TerminalProgress } = await import('../../src/cli/progress.ts');
  let stdout = '';
  let stderr = '';
  const writeError = (text: string): boolean => {
    stderr += text;
    return true;
  };
  const code = await runCommandLine(args, {
    passSignals: () => () => undefined,
    progress: new TerminalProgress({ isTTY: false, columns: 80, write: writeError }),
    signal: new AbortController().signal,
    environment: process.env,
    writeOut: (text) => void (stdout += text),
    writeError,
  });
  return { code, stdout, stderr };
}

export function readPlan(runDir: string): Plan {
  return planSchema.parse(JSON.parse(readFileSync(join(runDir, 'plan.json'), 'utf8')));
}

export function readRecords(runDir: string): TrialRecord[] {
  const lines = readFileSync(join(runDir, 'journal.jsonl'), 'utf8').split('\n');
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
