import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectDir, startProgram, type CliResult } from './cli.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly run?: string;
      readonly with?: Readonly<Record<string, string>>;
    }[];
  };
}

export const action = parse(readFileSync(join(projectDir, 'action.yml'), 'utf8')) as Action;
/** The command line of h2h3 in this checkout. */
export const launcher = `${process.execPath} ${join(projectDir, 'src/cli/launcher.js')}`;

export interface Ended {
  readonly result: CliResult;
  /** What the step wrote to GITHUB_OUTPUT. */
  readonly outputs: Readonly<Record<string, string>>;
  /** How the job ends: the code of the action's last step. */
  readonly code: number | null;
}

/** Contexts of the runner that the action reads, by their expression. */
type Contexts = Readonly<Record<string, string>>;

/** Carries out the steps that measure and that end the action, as they stand in its file, in a folder of their own. */
export async function carriedOut(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  job: Readonly<Record<string, string>>,
): Promise<Ended> {
  const measured = await stepCarriedOut('gate', { folder, inputs, job });
  assert.equal(measured.result.code, 0, `comment and report follow: ${measured.result.stderr}`);
  const outputs = Object.entries(measured.outputs).map(([name, value]) => [
    `steps.gate.outputs.${name}`,
    value,
  ]);
  const contexts = Object.fromEntries(outputs) as Contexts;
  const ended = await stepCarriedOut('end', { folder, inputs, job, contexts });
  return { ...measured, code: ended.result.code };
}

interface StepOptions {
  readonly folder: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly job?: Readonly<Record<string, string>>;
  readonly contexts?: Contexts;
}

/** Carries out one step by its id, `end` for the last, which has none. */
export async function stepCarriedOut(
  id: string,
  { folder, inputs, job = {}, contexts = {} }: StepOptions,
): Promise<Pick<Ended, 'result' | 'outputs'>> {
  const step = id === 'end' ? action.runs.steps.at(-1) : action.runs.steps.find((one) => one.id === id);
  assert.ok(step !== undefined, `action.yml has no step ${id}`);
  const valueOf = (expression: string): string => {
    const name = /^inputs\.([\w-]+)$/.exec(expression)?.[1];
    if (name === undefined) {
      const value = contexts[expression];
      assert.ok(value !== undefined, `this test knows no ${expression}`);
      return value;
    }
    assert.ok(name in action.inputs, `action.yml has no input ${name}`);
    return inputs[name] ?? action.inputs[name]?.default ?? '';
  };
  const written = join(folder, 'output');
  writeFileSync(written, '');
  const { env = {}, run = '' } = step;
  const filled = Object.entries(env).map(([name, text]) => {
    const value = text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => valueOf(expression));
    return [name, value] as const;
  });
  const result = await startProgram(
    ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run],
    {
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: written,
      GITHUB_ACTION_PATH: projectDir,
      ...job,
      ...Object.fromEntries(filled),
    },
    { cwd: folder },
  ).result;
  const lines = readFileSync(written, 'utf8').split('\n');
  const outputs = lines
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return { result, outputs: Object.fromEntries(outputs) as Readonly<Record<string, string>> };
}
