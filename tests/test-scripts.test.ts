import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { pageSources } from '../sites/pages/catalogue.ts';
import { playerNames } from '../src/core/factors/media.ts';
import {
  capabilities,
  fetchedPages,
  fetchedPlayers,
  filesIn,
  longest,
  minutesOf,
  mostlyWaiting,
  overOwnLoopback,
  selections,
} from './runner/selection.ts';
import { projectDir } from './support/source-graph.ts';

const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Test files that a script hands to the test runner itself; they stand between quotes. */
function filesOf(script: string): string[] {
  const patterns = [...(scripts[script] ?? '').matchAll(/'([^']+)'/g)].map(([, pattern]) => pattern ?? '');
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: projectDir }));
}

const filesOfSelection = (name: keyof typeof selections): string[] =>
  selections[name].flatMap(({ groups }) => groups.flatMap(filesIn));

test('every test file is run once: by test:all, or before a release by test:minutes', () => {
  const all = globSync('tests/**/*.test.ts', { cwd: projectDir });
  assert.ok(all.length > 250);
  assert.deepEqual([...filesOfSelection('all'), ...filesOf('test:minutes')].toSorted(), all.toSorted());
});

test('npm test is all of the unit and golden tests, and every capability by a file that is there', () => {
  const files = filesOfSelection('test');
  assert.deepEqual(new Set(files).size, files.length, 'none twice');
  const all = new Set(filesOfSelection('all'));
  assert.deepEqual(
    files.filter((file) => !all.has(file)),
    [],
  );
  for (const [capability, names] of Object.entries(capabilities)) {
    assert.ok(names.length > 0, capability);
    for (const name of names) {
      assert.ok(existsSync(join(projectDir, 'tests', `${name}.test.ts`)), `${capability}: ${name}`);
      assert.ok(files.includes(`tests/${name}.test.ts`), `${capability}: ${name} runs`);
    }
  }
  const units = globSync('tests/@(unit|golden)/**/*.test.ts', { cwd: projectDir });
  for (const file of units) assert.ok(files.includes(file), file);
});

test('the files that take longest begin first, behind those that wait for most of their time', () => {
  const first = longest.map((name) => `tests/${name}.test.ts`);
  const begun = selections.all.flatMap(({ groups }) => {
    // Those that run one after another are one of what runs at once.
    const single = groups.filter(({ patterns }) => patterns.length === 1);
    return [true, false].flatMap((waits) => {
      const files = single.filter((group) => (group.waits === true) === waits).flatMap(filesIn);
      return files.slice(0, files.filter((file) => first.includes(file)).length);
    });
  });
  assert.deepEqual(begun.toSorted(), first.toSorted());
});

test('files that wait for most of their time are there, and begin one after the other in the phase that runs more of them at once', () => {
  for (const { groups, atOnce, waitingAtOnce = atOnce } of selections.all) {
    if (waitingAtOnce === atOnce) continue;
    const waits = groups.map((group) => group.waits === true);
    assert.deepEqual(
      waits,
      waits.toSorted((one, other) => Number(other) - Number(one)),
    );
    const names = groups.filter((group) => group.waits).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), mostlyWaiting.toSorted());
  }
});

test('files have a network of their own where all tests run, and none where a test may have to fetch something first', () => {
  const apart = (name: keyof typeof selections): string[] =>
    selections[name].flatMap(({ groups }) => groups.filter(({ ownNetwork }) => ownNetwork).flatMap(filesIn));
  assert.deepEqual(
    apart('all').toSorted(),
    overOwnLoopback.map((name) => `tests/${name}.test.ts`).toSorted(),
  );
  assert.deepEqual(apart('test'), []);
});

/** Players and pages of registries that a text names. */
function ofRegistries(text: string): string[] {
  const pages = pageSources.map(({ id }) => `page-${id}`);
  const names = [...pages.toSorted((one, other) => other.length - one.length), ...Object.keys(playerNames)];
  return [...text.matchAll(new RegExp(`(?<![\\w-])(?:${names.join('|')})(?:@[\\w.]+)?(?![\\w-])`, 'g'))].map(
    ([name]) => name,
  );
}

test('no file with a network of its own wants a player or a page that was not fetched before', () => {
  assert.deepEqual(ofRegistries("run --workload page-landing, player 'dashjs@4'"), [
    'page-landing',
    'dashjs@4',
  ]);
  const fetched = [...fetchedPages, ...fetchedPlayers];
  for (const name of overOwnLoopback) {
    const wanted = ofRegistries(readFileSync(join(projectDir, 'tests', `${name}.test.ts`), 'utf8'));
    assert.deepEqual(
      wanted.filter((one) => !fetched.includes(one)),
      [],
      name,
    );
  }
});

test('each command for tests starts the selection of its name', () => {
  for (const [script, name] of [
    ['test', 'test'],
    ['test:all', 'all'],
    ['test:unit', 'unit'],
  ] as const)
    assert.match(scripts[script] ?? '', new RegExp(`tests/runner/main\\.ts ${name}$`));
});

const read = (file: string): string => readFileSync(join(projectDir, file), 'utf8');

const numberWords: Readonly<Record<string, number>> = { ten: 10, thirty: 30, forty: 40 };

/** How many minutes a page says that a command takes, each time that it says so behind the command. */
function minutesSaid(page: string, command: string): (number | undefined)[] {
  const saying = new RegExp(`${command}(?![\\w:])[^#\`\\n]*[#\`][^.]*?([\\w-]+) minutes`, 'g');
  return [...page.matchAll(saying)].map(([, word = '']) => numberWords[word]);
}

interface Job {
  readonly 'timeout-minutes': number;
  readonly steps: readonly { readonly run?: string }[];
}

test('README, CONTRIBUTING and the workflows say the same commands and times', () => {
  const contributing = read('CONTRIBUTING.md');
  assert.deepEqual(minutesSaid(read('README.md'), 'npm test'), [minutesOf.test]);
  assert.deepEqual(minutesSaid(contributing, 'npm test'), [minutesOf.test, minutesOf.test]);
  assert.deepEqual(minutesSaid(contributing, 'npm run test:all'), [minutesOf.all]);
  const { jobs } = parse(read('.github/workflows/checks.yml')) as { jobs: Readonly<Record<string, Job>> };
  for (const [ends, minutes] of [
    [/npm test'?$/, minutesOf.test],
    [/npm run test:all$/, minutesOf.all],
  ] as const) {
    const running = Object.values(jobs).filter(({ steps }) => steps.some(({ run }) => ends.test(run ?? '')));
    assert.equal(running.length, 1, `one job runs ${ends.source}`);
    // What it installs takes time too.
    for (const job of running)
      assert.ok(job['timeout-minutes'] >= minutes + 10, `${ends.source} has no room`);
  }
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    '.ci/run',
    ...globSync('.github/workflows/*.yml', { cwd: projectDir }),
  ];
  for (const file of files) {
    const named = [...read(file).matchAll(/\bnpm run ([\w:-]+\w)(?![\w:…-])/g)].map(([, name = '']) => name);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
      file,
    );
  }
});

test('continuous integration sees what a newcomer sees before it installs anything', () => {
  const steps = readFileSync(join(projectDir, '.ci/run'), 'utf8');
  const at = (text: string): number => steps.indexOf(`\n${text}`);
  const order = [
    at("sh tests/first-run/bare.sh sh -c 'npm ci && npm test'"),
    at('npx h2h3 setup --system'),
    at('"$readers/bin/pip" install --quiet warcio'),
    at('npm install --silent --global --prefix "$readers" har-validator'),
    at('npm run test:all'),
  ];
  assert.ok(!order.includes(-1), order.join());
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
  );
  assert.ok(steps.endsWith('npm run test:all\n'), 'the closing lines of the tests are the last');
});
