import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectDir, startProgram, type CliResult } from './cli.ts';
import { tempFolder } from './temp-folder.ts';

/** One more of a kind: a file of its own, and its line in a registry. */
export interface Addition {
  /** In `tests/e2e/adding`, where its types are checked; what it exports is called `added`. */
  readonly from: string;
  /** Where it goes in the project. */
  readonly to: string;
  /** Absent: its line is forgotten. */
  readonly registry?: string;
  /** Text of the registry after which the entry goes. */
  readonly after?: string;
  /** Default: what the file exports. */
  readonly entry?: string;
  readonly edit?: (text: string) => string;
}

const source = 'tests/e2e/adding';
const parts =
  'src harness sites video reports build docs tests/support tests/factors.test.ts tests/architecture.test.ts package.json tsconfig.json';

/** A copy of the project with these additions, and a golden run in `run`. */
export function checkoutWith(t: Parameters<typeof tempFolder>[0], additions: readonly Addition[]): string {
  const copy = join(tempFolder(t), 'checkout');
  for (const part of parts.split(' ')) cpSync(join(projectDir, part), join(copy, part), { recursive: true });
  symlinkSync(join(projectDir, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(projectDir, 'tests/golden/runs/basic'), join(copy, 'run'), { recursive: true });
  const places = new Map(additions.map(({ from, to }) => [join(source, from), to]));
  for (const addition of additions) {
    const { from, to, edit = (text: string) => text } = addition;
    const file = join(copy, to);
    mkdirSync(dirname(file), { recursive: true });
    const text = readFileSync(join(projectDir, source, from), 'utf8');
    writeFileSync(file, edit(to.endsWith('.ts') ? moved(text, to, places) : text));
    register(copy, addition);
  }
  return copy;
}

/** A module's text at its place in the project: what it imports lies elsewhere from there. */
function moved(text: string, to: string, places: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(from ')(\.[^']+)(')/g, (_, head: string, specifier: string, tail: string) => {
    const target = join(source, specifier);
    const way = relative(dirname(to), places.get(target) ?? target);
    return `${head}${way.startsWith('.') ? way : `./${way}`}${tail}`;
  });
}

let count = 0;

function register(copy: string, { to, registry, after = '', entry }: Addition): void {
  if (registry === undefined) return;
  const file = join(copy, registry);
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(after), `${registry} has no ${after}`);
  const name = `added${count++}`;
  const way = relative(dirname(registry), to);
  const line = to.endsWith('.ts') ? `import { added as ${name} } from './${way}';\n` : '';
  const item = entry?.replace('added', to.endsWith('.ts') ? name : 'added') ?? name;
  writeFileSync(file, line + text.replace(after, (found) => `${found}${item}, `));
}

/** Runs a module of a copy on this Node. */
export function runIn(
  copy: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  // The copy's tests report for themselves, not to the runner of these.
  const outsideRunner = ['env', '-u', 'NODE_TEST_CONTEXT'];
  const program = [...outsideRunner, process.execPath, '--disable-warning=ExperimentalWarning', ...words];
  // What is compiled of a copy goes with it: no other checkout has modules at these paths.
  const compiled = { NODE_COMPILE_CACHE: join(copy, '.h2h3', 'compile-cache') };
  return startProgram(program, { ...compiled, ...environment }, { cwd: copy }).result;
}

/** What each of these command lines of a copy comes to; starting Node for each would take most of the time. */
export async function carriedOutIn(
  copy: string,
  commands: readonly (readonly string[])[],
): Promise<readonly Pick<CliResult, 'code' | 'stdout' | 'stderr'>[]> {
  const { stdout, stderr } = await runIn(copy, ['tests/support/carry-out.ts', JSON.stringify(commands)]);
  assert.match(stdout, /^\[.*\]$/s, stderr);
  return JSON.parse(stdout) as Pick<CliResult, 'code' | 'stdout' | 'stderr'>[];
}

/** The tools that this checkout has fetched, for a copy. */
export function cacheOf(): Readonly<Record<string, string>> {
  return { H2H3_CACHE: process.env['H2H3_CACHE'] ?? join(projectDir, '.h2h3') };
}
