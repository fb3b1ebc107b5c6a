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

/** Carries out the steps that measure and that end the action, as they stand in its file, in a folder of their own. */
export async function carriedOut(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  job: Readonly<Record<string, string>>,
): Promise<Ended> {
  const written = join(folder, 'output');
  writeFileSync(written, '');
  const outputs = (): Record<string, string> =>
    Object.fromEntries(
      readFileSync(written, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  const valueOf = (expression: string): string => {
    const [, kind, name = ''] =
      /^\$\{\{ (inputs|steps\.gate\.outputs)\.([\w-]+) \}\}$/.exec(expression) ?? [];
    assert.ok(kind !== undefined, `this test knows no ${expression}`);
    if (kind !== 'inputs') return outputs()[name] ?? '';
    assert.ok(name in action.inputs, `action.yml has no input ${name}`);
    return inputs[name] ?? action.inputs[name]?.default ?? '';
  };
  const runStep = ({ env = {}, run = '' }: Action['runs']['steps'][number]): Promise<CliResult> =>
    startProgram(
      ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run],
      {
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: written,
        GITHUB_ACTION_PATH: projectDir,
        ...job,
        ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, valueOf(text)])),
      },
      { cwd: folder },
    ).result;
  const measures = action.runs.steps.find(({ id }) => id === 'gate');
  const ends = action.runs.steps.at(-1);
  assert.ok(measures !== undefined && ends !== undefined);
  const result = await runStep(measures);
  assert.equal(result.code, 0, `comment and report follow: ${result.stderr}`);
  return { result, outputs: outputs(), code: (await runStep(ends)).code };
}
