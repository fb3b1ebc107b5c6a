import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { emulatorSources } from '../../harness/network/emulator-programs.ts';
import { studyCounts } from '../../reports/html/studies/study-counts.ts';
import type { Studies } from '../../src/core/model/studies.ts';
import {
  assertTypesIn,
  filesBelow,
  installOffline,
  packInto,
  programsByMachine,
  runToEnd,
} from '../support/packed.ts';
import { startLimitMs } from '../support/processes.ts';
import { projectDir } from '../support/source-graph.ts';
import { keptStudies } from '../support/study-document.ts';

/** The package as npm would install it, without asking npm for anything: what `test:package` does with the registry. */
let folder = '';
const h2h3 = (...words: string[]): string =>
  runToEnd([process.execPath, join(folder, 'node_modules/h2h3/src/cli/launcher.js'), ...words], folder, {
    XDG_CACHE_HOME: join(folder, 'cache'),
  });

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'h2h3-package-'));
  installOffline(packInto(folder), folder);
  cpSync(join(projectDir, 'examples/library'), folder, { recursive: true });
  cpSync(join(projectDir, 'tests/golden/runs'), join(folder, 'runs'), { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds JavaScript with types and source maps, every data file, and no TypeScript to be stripped', () => {
  const files = filesBelow(join(folder, 'node_modules/h2h3/dist'));
  const modules = files.filter((file) => /(?<!\.d)\.ts$/.test(file));
  assert.deepEqual(modules, []);
  for (const name of ['src/app/index', 'harness/trial/trial-worker', 'src/core/system/processes/reaper'])
    for (const ending of ['js', 'js.map', 'd.ts'])
      assert.ok(files.includes(`${name}.${ending}`), `${name}.${ending}`);
  const data = [
    'harness/tools/mitmdump_main.py',
    'harness/tools/mitmproxy-build-requirements.txt',
    'harness/tools/mitmproxy-requirements.txt',
    'sites/replicas/shapes.jsonl',
    'sites/record/arrival_times.py',
    'sites/record/mitmproxy_addon.py',
    'video/page/index.html',
  ];
  for (const name of data) assert.ok(files.includes(name), name);
  assert.ok(files.some((file) => /^harness\/network\/emulator\/.*\.c$/.test(file)));
});

test('the package brings every program of the path emulator for both kinds of machines', () => {
  const programs = Object.keys(emulatorSources).toSorted();
  const own = join(folder, 'node_modules/h2h3/dist/harness/network/emulator/built');
  assert.deepEqual(programsByMachine(own), { arm64: programs, x64: programs });
});

test('the package holds every file that README, docs and its own script to prepare name', () => {
  const own = join(folder, 'node_modules/h2h3');
  const pages = filesBelow(own).filter((file) => /^(?:[^/]*|docs\/.*)\.md$/.test(file));
  assert.ok(pages.includes('README.md') && pages.includes('docs/journeys.md'));
  const named = pages.flatMap((page) =>
    [...readFileSync(join(own, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, target = '']) => join(own, dirname(page), target),
    ),
  );
  assert.ok(named.length > 50);
  assert.deepEqual(
    named.filter((target) => !existsSync(target)),
    [],
  );
  const { scripts } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const command of scripts['prepare']?.split(' && ') ?? [''])
    assert.ok(existsSync(join(own, command.replace('node ', ''))), command);
});

test('the command works from the package alone', () => {
  const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  assert.equal(h2h3('--version').trim(), version);
  assert.match(h2h3('plan', 'download', '--repetitions', '2', '--exploratory'), /arms h2, h3 × 2 blocks/);
  const { rows } = JSON.parse(h2h3('doctor', '--json')) as { rows: { item: string }[] };
  assert.ok(rows.length > 5);
});

test('a run is analysed and reported from the package alone, scripts of the pages included', () => {
  assert.match(h2h3('analyse', join('runs', 'basic')), /trials valid/);
  h2h3('report', join('runs', 'basic'));
  const report = readFileSync(join(folder, 'runs', 'basic', 'report.html'), 'utf8');
  assert.match(report, /<script>[\s\S]{100000}/);
});

test('the studies that the project keeps are in the package, and its command counts the same of them', async () => {
  const isKept = (file: string): boolean => file.endsWith('.json');
  const kept = filesBelow(join(projectDir, 'reports/studies')).filter(isKept).toSorted();
  assert.ok(kept.length > 20);
  const packed = filesBelow(join(folder, 'node_modules/h2h3/reports/studies'));
  assert.deepEqual(packed.filter(isKept).toSorted(), kept);
  const page = JSON.parse(h2h3('studies', '--page', '--json')) as Studies;
  assert.deepEqual(studyCounts(page), studyCounts(await keptStudies()));
  assert.ok(existsSync(join(folder, 'results/studies/studies.html')));
});

test('the examples of the library do what they say', () => {
  const planned = runToEnd([process.execPath, 'plan.mjs', 'download'], folder);
  assert.match(planned, /\d+ networks[\s\S]*6 blocks: \d+ trials[\s\S]*24 blocks/);
  const judged = spawnSync(process.execPath, ['gate.mjs', join('runs', 'basic')], {
    cwd: folder,
    encoding: 'utf8',
  });
  const outcome = /^\d+ valid trials: (passed|worse|undecided)$/m.exec(judged.stdout)?.[1];
  assert.ok(outcome, judged.stdout + judged.stderr);
  assert.equal(judged.status, { passed: 0, worse: 1, undecided: 5 }[outcome]);
});

test('a journey is type-checked where Playwright is not installed, and wrong use of it is found', () => {
  assert.ok(!existsSync(join(folder, 'node_modules/playwright')));
  const journey = [
    "import { expect, step, test } from 'h2h3/journey';",
    "test('shop', async ({ page }) => {",
    "  await step('open', () => page.goto('https://shop.example/'));",
    "  await expect(page.locator('h1')).toBeVisible();",
    '});',
  ];
  const wrong = [
    'wrong-journey.ts',
    [...journey, 'step(1);'],
    /^wrong-journey\.ts\(6,\d+\): error/m,
  ] as const;
  assertTypesIn(folder, ['journey.ts', journey], wrong);
});

test('a test of Playwright with the fixture is type-checked where Playwright is not installed, and runs where it is', () => {
  const lines = [
    "import { expect, test, type H2h3Options } from 'h2h3/playwright';",
    "const h2h3: H2h3Options = { network: 'none' };",
    'test.use({ h2h3 });',
    "test('shop', async ({ h2h3Link }) => expect(h2h3Link.description.id).toBe('loopback'));",
  ];
  const misspelt = [...lines, "const wrong: H2h3Options = { networks: '4g' };"];
  assertTypesIn(folder, ['shop.spec.ts', lines], ['wrong.ts', misspelt, /^wrong\.ts\(5,\d+\): error/m]);
  const without = spawnSync(process.execPath, ['-e', "import('h2h3/playwright')"], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(without.stderr, /npm install @playwright\/test/);
  const playwright = join(folder, 'node_modules/playwright');
  symlinkSync(join(projectDir, 'node_modules/playwright'), playwright);
  try {
    const words = [join(playwright, 'cli.js'), 'test', 'shop.spec.ts', `--timeout=${startLimitMs}`];
    const said = runToEnd([process.execPath, ...words], folder);
    assert.match(said, /1 passed/);
  } finally {
    rmSync(playwright);
  }
});

test('what is optional says the command that installs it', () => {
  assert.ok(!existsSync(join(folder, 'node_modules/@duckdb')));
  assert.throws(
    () => h2h3('history', 'add', 'runs'),
    /DuckDB, which is not installed[\s\S]*npm install @duckdb\/node-api@/,
  );
  assert.throws(
    () => h2h3('run', 'download', '--probe', 'lighthouse', '--repetitions', '2', '--exploratory'),
    /npm install lighthouse@/,
  );
});
