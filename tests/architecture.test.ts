import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

/** The table "Folders" of the design: what each part may import of the project, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/model': [],
  'src/system': ['src/model'],
  'src/plan': ['src/model'],
  'src/analyse': ['src/model'],
  'src/store': ['src/model', 'src/system'],
  'src/app': [
    ...['src/model', 'src/system', 'src/plan', 'src/analyse', 'src/store'],
    ...['harness', 'sites', 'video', 'reports'],
  ],
  'src/cli': ['src/app', 'src/model'],
  harness: ['src/model', 'src/system'],
  sites: ['src/model', 'src/system'],
  video: ['src/model', 'src/system'],
  reports: ['src/model'],
};

/** Exceptions to the table, `from -> to`; one that is no longer used fails the test. */
const exceptions: readonly string[] = [];

const projectDir = join(import.meta.dirname, '..');
const sources = globSync(
  ['src/**/*.ts', 'harness/**/*.ts', 'sites/**/*.ts', 'video/**/*.ts', 'reports/**/*.ts'],
  {
    cwd: projectDir,
  },
).map((file) => file.replaceAll('\\', '/'));

interface Import {
  readonly from: string;
  /** Path below the project for relative imports, else the package or builtin as written. */
  readonly to: string;
  readonly relative: boolean;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(projectDir, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm,
  );
  return [...statements].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? '';
    const isRelative = specifier.startsWith('.');
    const to = isRelative
      ? relative(projectDir, join(projectDir, dirname(file), specifier)).replaceAll('\\', '/')
      : specifier;
    return { from: file, to, relative: isRelative, typeOnly: match[1] !== undefined };
  });
}

function partOf(file: string): string {
  return Object.keys(mayImport).find((part) => file.startsWith(`${part}/`)) ?? file;
}

const imports = sources.flatMap(importsOf);

test('every part imports only what the design allows', () => {
  const used = new Set<string>();
  const forbidden = imports.filter((item) => {
    if (!item.relative) return false;
    const from = partOf(item.from);
    const to = partOf(item.to);
    if (from === to || mayImport[from]?.includes(to) === true) return false;
    const name = `${item.from} -> ${item.to}`;
    if (!exceptions.includes(name)) return true;
    used.add(name);
    return false;
  });
  assert.deepEqual(
    forbidden.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
  assert.deepEqual(
    exceptions.filter((name) => !used.has(name)),
    [],
    'stale exceptions',
  );
});

test('no module imports itself by a detour', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      imports.filter((item) => item.from === file && item.relative && !item.typeOnly).map(({ to }) => to),
    ]),
  );
  const state = new Map<string, 'open' | 'closed'>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (state.get(file) === 'closed') return;
    if (state.get(file) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    state.set(file, 'closed');
  };
  sources.forEach((file) => visit(file, []));
  assert.deepEqual(cycles, []);
});

test('code that runs in pages uses nothing of Node', () => {
  const page = sources.filter((file) => /\/(page|client)\//.test(file));
  const bad = imports.filter(
    ({ from, to }) => page.includes(from) && (to.startsWith('node:') || builtinModules.includes(to)),
  );
  assert.deepEqual(
    bad.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('builtin modules are named with node:', () => {
  const bad = imports.filter(({ to }) => builtinModules.includes(to) && !to.startsWith('node:'));
  assert.deepEqual(
    bad.map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

test('no folder or file has a name that says nothing', () => {
  const all = globSync('{src,harness,sites,video,reports,tests}/**/*', { cwd: projectDir });
  const bad = all.filter((path) => /(^|[/\\])(utils?|helpers?|lib|common|misc)([/\\.]|$)/.test(path));
  assert.deepEqual(bad, []);
});

test('only the command line writes to the console or sets the exit code', () => {
  const bad = sources.filter(
    (file) =>
      !file.startsWith('src/cli/') &&
      /\bconsole\.|process\.exitCode\s*=/.test(
        readFileSync(join(projectDir, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      ),
  );
  assert.deepEqual(bad, []);
});

test('every preset, primary metric and margin names something that exists', async () => {
  const { presets } = await import('../src/plan/presets/registry.ts');
  const { metricDefinition } = await import('../src/model/metric-catalogue.ts');
  const { findWorkload, workloadCatalogue } = await import('../src/app/plan/workload-catalogue.ts');
  const workloads = workloadCatalogue();
  for (const { id, plan } of presets) {
    for (const workload of plan.workloads ?? [])
      assert.ok(findWorkload(workload, workloads), `${id}: workload ${workload}`);
    for (const metric of Object.values(plan.primary ?? {}))
      assert.ok(metricDefinition(metric), `${id}: metric ${metric}`);
  }
});
