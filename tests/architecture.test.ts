import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { presetIds } from '../src/app/presets/registry.ts';
import {
  cyclesOf,
  importsOf,
  parse,
  projectDir,
  sourcesIn,
  syntaxTreeOf,
  walk,
  type Import,
} from './support/source-graph.ts';
import { layered, parts, type Table } from './support/layers.ts';

/** Exceptions to the tables, `from -> to`; one that is no longer used fails the test. */
const exceptions: readonly string[] = [];

const sources = sourcesIn(['src', 'harness', 'sites', 'video', 'reports']);
const trees = new Map(sources.map((file) => [file, syntaxTreeOf(file)]));
const imports = [...trees].flatMap(([file, tree]) => importsOf(file, tree));

/** The longest name of a table with which a path begins, at the end of a word. */
function partOf(file: string, table: Table): string | undefined {
  return Object.keys(table)
    .filter((part) => file.startsWith(part) && /^(?:[/.-]|$)/.test(file.slice(part.length)))
    .toSorted((a, b) => b.length - a.length)[0];
}

const used = new Set<string>();

/** Imports that a table forbids. A file that no layer holds is in none, which is forbidden too. */
function forbiddenBy(table: Table, candidates: readonly Import[]): string[] {
  return candidates.flatMap((item) => {
    const from = partOf(item.from, table);
    const to = partOf(item.to, table);
    const name = `${item.from} -> ${item.to}`;
    if (from !== undefined && to !== undefined && (from === to || table[from]?.includes(to) === true))
      return [];
    if (!exceptions.includes(name)) return [`${name} (${from ?? 'no layer'} may not import ${to ?? 'it'})`];
    used.add(name);
    return [];
  });
}

function within(folder: string): Import[] {
  return imports.filter(
    (item) => item.relative && item.from.startsWith(`${folder}/`) && item.to.startsWith(`${folder}/`),
  );
}

test('every part imports only what the design allows, types too', () => {
  const between = imports.filter((item) => item.relative);
  assert.deepEqual(forbiddenBy(parts, between), []);
});

for (const [folder, layers] of layered)
  test(`the rooms of ${folder} are layers`, () => {
    assert.deepEqual(forbiddenBy(layers, within(folder)), []);
  });

test('no exception outlives its reason', () => {
  forbiddenBy(
    parts,
    imports.filter(({ relative }) => relative),
  );
  layered.forEach(([folder, layers]) => forbiddenBy(layers, within(folder)));
  assert.deepEqual(
    exceptions.filter((name) => !used.has(name)),
    [],
  );
});

test('no module imports itself by a detour, types too', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      imports.filter((item) => item.from === file && item.relative).map(({ to }) => to),
    ]),
  );
  assert.deepEqual(cyclesOf(graph), []);
});

/** What is started from outside, or by a name that is put together. */
const begins = [
  'src/cli/main.ts',
  'src/app/index.ts',
  'src/app/playwright/playwright.ts',
  'src/link/main.ts',
  'src/link/index.ts',
  'src/core/system/processes/deputy.ts',
];

test('no module is left over: each is imported by a registry or another, or started by its name', () => {
  const ofBuild = sourcesIn(['build']).flatMap((file) => importsOf(file));
  const relatives = [...imports, ...ofBuild].filter(({ relative }) => relative);
  const reached = new Set([...begins, ...relatives.map(({ to }) => to)]);
  const started = new Set<string>();
  for (const [file, tree] of trees)
    walk(tree, (node) => {
      if (!ts.isStringLiteralLike(node) || !node.text.endsWith('.ts')) return;
      started.add(node.text.startsWith('.') ? join(dirname(file), node.text) : node.text);
    });
  const isStarted = (file: string): boolean =>
    started.has(file) || (inPage(file) && started.has(basename(file)));
  const left = sources.filter((file) => !file.endsWith('.d.ts') && !reached.has(file) && !isStarted(file));
  assert.deepEqual(left, [], 'add its line to its registry, or remove it');
});

test('no preset is left out of the registry', () => {
  const files = globSync('src/app/presets/*.yaml', { cwd: projectDir }).map((file) =>
    basename(file, '.yaml'),
  );
  assert.deepEqual(files.toSorted(), presetIds.toSorted());
});

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const packageFile = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as PackageFile;

/** `@scope/name` of `@scope/name/lib/file.js`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** What a checkout loads to make what the package already holds. */
const atBuildTime = ['reports/html/bundle-client.ts -> esbuild'];

const inPage = (file: string): boolean => /\/(page|client)\//.test(file);

test('every package that is imported is declared where it is needed', () => {
  const { dependencies, devDependencies, optionalDependencies = {}, peerDependencies = {} } = packageFile;
  const foreign = imports.filter(({ to, relative }) => !relative && !to.startsWith('node:'));
  const undeclared = foreign.filter(({ from, to, dynamic, typeOnly }) => {
    const name = packageOf(to);
    if (name in dependencies) return false;
    // What need not be there must not be loaded with the module.
    if (name in optionalDependencies || name in peerDependencies) return !dynamic && !typeOnly;
    // Page code takes its libraries from the page; the package holds their built files.
    if (name in devDependencies && typeOnly && inPage(from)) return false;
    return !(dynamic && atBuildTime.includes(`${from} -> ${to}`));
  });
  assert.deepEqual(
    undeclared.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
  const ofTests = sourcesIn(['tests']).flatMap((file) => importsOf(file));
  const known = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
  assert.deepEqual(
    ofTests
      .filter(({ to, relative }) => !relative && !to.startsWith('node:') && !(packageOf(to) in known))
      .map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('code that runs in pages uses nothing of Node', () => {
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    imports
      .filter((item) => item.from === file && item.relative && !item.typeOnly)
      .forEach(({ to }) => reach(to));
  };
  sources.filter(inPage).forEach(reach);
  const bad = imports.filter(
    ({ from, to, typeOnly }) =>
      reached.has(from) && !typeOnly && (to.startsWith('node:') || builtinModules.includes(to)),
  );
  assert.deepEqual(
    bad.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('what only computes or renders neither reads files nor starts programs', () => {
  const pure = ['src/core/model', 'src/core/factors', 'src/core/metrics', 'src/plan', 'src/analyse'];
  const harmless = ['node:path', 'node:crypto', 'node:util'];
  const bad = imports.filter(
    ({ from, to }) =>
      pure.some((part) => from.startsWith(`${part}/`)) && to.startsWith('node:') && !harmless.includes(to),
  );
  assert.deepEqual(
    bad.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('modules that are started as programs are found as in the package, where they are JavaScript', () => {
  const bad = [...trees].flatMap(([file, tree]) => {
    const found: string[] = [];
    walk(tree, (node) => {
      if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
      const callee = node.expression.getText();
      const named = [...(node.arguments ?? [])].filter(ts.isStringLiteralLike);
      if (['URL', 'join', 'path.join'].includes(callee) && named.some(({ text }) => text.endsWith('.ts')))
        found.push(
          `${file}: ${node.getText()} (use moduleFile or pageModule of src/core/system/module-file.ts)`,
        );
    });
    return found;
  });
  assert.deepEqual(bad, []);
});

test('builtin modules are named with node:', () => {
  const bad = imports.filter(({ to }) => builtinModules.includes(to) && !to.startsWith('node:'));
  assert.deepEqual(
    bad.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('the reading of the syntax tree sees every way to import', () => {
  const text = `import a, { b } from './a.ts';
import type { C } from 'c';
import './side-effect.ts';
export * from './d.ts';
export type { E } from '../e.ts';
type F = import('f').F;
const g = await import('./g.ts');
const text = "import h from 'h'"; // import i from 'i'`;
  const found = importsOf('src/x/y.ts', parse('src/x/y.ts', text));
  assert.deepEqual(
    found.map(({ to, typeOnly, dynamic }) => `${to}${typeOnly ? ' type' : ''}${dynamic ? ' dynamic' : ''}`),
    [
      'src/x/a.ts',
      'c type',
      'src/x/side-effect.ts',
      'src/x/d.ts',
      'src/e.ts type',
      'f type',
      'src/x/g.ts dynamic',
    ],
  );
});

test('no folder or file has a name that says nothing', () => {
  const all = globSync('{src,harness,sites,video,reports,tests}/**/*', { cwd: projectDir });
  const bad = all.filter((path) => /(^|[/\\])(utils?|helpers?|lib|common|misc)([/\\.]|$)/.test(path));
  assert.deepEqual(bad, []);
});

test('only the command lines write to the console or set the exit code', () => {
  const bad = sources.filter((file) => {
    if (/^src\/(?:cli|link)\//.test(file) || inPage(file)) return false;
    let found = false;
    walk(trees.get(file) ?? syntaxTreeOf(file), (node) => {
      if (!ts.isPropertyAccessExpression(node)) return;
      const object = node.expression.getText();
      found ||= object === 'console' || (object === 'process' && node.name.text === 'exitCode');
    });
    return found;
  });
  assert.deepEqual(bad, []);
});

test('every preset, primary metric and margin names something that exists', async () => {
  const { allPresets } = await import('../src/app/presets/registry.ts');
  const { metricDefinition } = await import('../src/core/metrics/registry.ts');
  const { findWorkload, workloadCatalogue } = await import('../src/app/plan/workload-catalogue.ts');
  const workloads = workloadCatalogue();
  for (const { id, plan } of allPresets()) {
    for (const workload of plan.workloads ?? [])
      assert.ok(findWorkload(workload, workloads), `${id}: workload ${workload}`);
    for (const metric of Object.values(plan.primary ?? {}))
      assert.ok(metricDefinition(metric), `${id}: metric ${metric}`);
  }
});
