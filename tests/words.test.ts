import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderRunIndex } from '../reports/html/index/render-run-index.ts';
import { renderHtmlReport } from '../reports/html/render-html-report.ts';
import { runCliHere } from './support/cli.ts';
import { explainedSummary } from './support/diagnosis-fixture.ts';
import { madeUpPages } from './support/made-up-pages.ts';
import {
  commentsIn,
  errorTextsIn,
  faultsIn,
  proseOf,
  screenFaultsIn,
  screenTextsIn,
  shownIn,
} from './support/plain-words.ts';
import { projectDir, sourcesIn } from './support/source-graph.ts';
import { summaryFixture } from './support/summary-fixture.ts';

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'build/link/README.md',
  'build/link/CHANGELOG.md',
  ...globSync('docs/*.md', { cwd: projectDir }),
];

test('docs have short sentences and no words that were given up', () => {
  const faults = pages.flatMap((page) => {
    const text = readFileSync(join(projectDir, page), 'utf8');
    return [...proseOf(text), ...commentsIn(text)].flatMap((part) =>
      faultsIn(part).map((fault) => `${page}: ${fault}`),
    );
  });
  assert.deepEqual(faults, []);
});

test('reports have short sentences, no semicolons and no words that were given up', () => {
  const files = sourcesIn(['src/analyse', 'reports']).filter((file) => !/styles\/|bundle-client/.test(file));
  const texts = files.flatMap((file) => screenTextsIn(file).map((text) => [file, text] as const));
  assert.ok(texts.length > 1000, `${texts.length} texts found`);
  const faults = texts.flatMap(([file, text]) => screenFaultsIn(text).map((fault) => `${file}: ${fault}`));
  assert.deepEqual(faults, []);
});

test('errors have short sentences and no words that were given up', () => {
  const files = sourcesIn([
    'src/app',
    'src/plan',
    'src/cli',
    'src/store',
    'src/core/system',
    'src/core/model',
    'harness',
    'sites',
    'video',
  ]);
  const texts = files.flatMap((file) => errorTextsIn(file).map((text) => [file, text] as const));
  assert.ok(texts.length > 300, `${texts.length} texts found`);
  const faults = texts.flatMap(([file, text]) => faultsIn(text).map((fault) => `${file}: ${fault}`));
  assert.deepEqual(faults, []);
});

/** What declares a name, before it. */
const declares = String.raw`(?:\b(?:function|const|let|interface|class|type) |\()`;
/** Names that say nothing, or are no terms of the field. */
const words = [
  'beside|quoted|placeOf|keyOf|wayOf|deafTo|elsewhere|befalls|whoever|nobody|configuration|Live(?:Progress|Run|Host|Trial)',
  'Place|Gathered|Work|Stop|Chain|Obstacle|obstacles?|Honourer|honour\\w*|unfit|failureWords|untroubledTrial|isOnlyDelayed|goesOn',
  'why[A-Z]\\w*|(?:most|least|fewest)[A-Z]\\w*|longest[A-Z]\\w*|\\w*[wW]atching\\w*|take(?:n)?Looks?\\w*',
];
const givenUp = new RegExp(String.raw`${declares}(${words.join('|')})(?:\(| =>|[:,)]| [={]|<)`, 'g');
const givenUpIn = (text: string): (string | undefined)[] =>
  [...text.matchAll(givenUp)].map(([, name]) => name);

test('the code has no names that were given up', () => {
  const found = sourcesIn(['src', 'harness', 'sites', 'video', 'reports']).flatMap((file) =>
    givenUpIn(readFileSync(join(projectDir, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(found, []);
  const text =
    'const found = rows.filter((nobody) => keyOf(nobody));\nfunction keyOf(row) {}\ntype Place = string;\nconst mostBytes = 1;';
  assert.deepEqual(givenUpIn(text), ['nobody', 'nobody', 'keyOf', 'Place', 'mostBytes']);
});

test('help has short sentences and no words that were given up', async () => {
  const { stdout } = await runCliHere(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name = '']) => name);
  assert.ok(names.length > 20);
  const faults: string[] = [];
  for (const name of names.filter((one) => one !== 'help')) {
    const { stdout: help } = await runCliHere([name, '--help', '--all']);
    // Options and commands: each with its words, which go on in lines that are indented further.
    const parts = help.split(/\n(?= {0,2}\S)|\n\s*\n/).map((part) => part.replace(/^.*? {2,}/, ''));
    faults.push(...parts.flatMap((part) => faultsIn(part)).map((fault) => `${name}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});

test('sample pages of reports have short sentences and no words that were given up', async () => {
  const golden = readFileSync(join(projectDir, 'tests/golden/runs/basic/report.html'), 'utf8');
  const explained = await renderHtmlReport(explainedSummary(summaryFixture()));
  const runs = await renderRunIndex([]);
  const faults = Object.entries({ golden, explained, runs, ...(await madeUpPages()) }).flatMap(
    ([name, page]) => {
      assert.ok(shownIn(page).length > 10, name);
      return [...new Set(shownIn(page).flatMap(screenFaultsIn))].map((fault) => `${name}: ${fault}`);
    },
  );
  assert.deepEqual(faults, []);
});

test('the test can fail: given-up words, long sentences and openings without a subject are found', () => {
  assert.deepEqual(
    shownIn('<style>x</style><p>a <b>b</b> (p = 1) c</p><p>d &amp; e</p>').map((text) => text.trim()),
    ['a b c', 'd ’ e'],
  );
  const [word, ...more] = faultsIn('The path stays. Whoever waits stands beside it.');
  assert.match(word ?? '', /"Whoever" \(name who\)/);
  assert.equal(more.length, 2);
  assert.equal(faultsIn(`${'a '.repeat(31)}b.`).length, 1);
  assert.equal(faultsIn('Whom it meets comes first.').length, 2);
  assert.deepEqual(
    faultsIn('Nothing is wrong here. `inconclusive` is a word of JSON'.replace(/`[^`]*`/, 'X')),
    [],
  );
  assert.deepEqual(proseOf('# One\n\n| a | `b c` |\n\n```\ncode undecided\n```\n\ntext'), [
    'One',
    'a',
    'X',
    'text',
  ]);
});
