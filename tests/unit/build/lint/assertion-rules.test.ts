import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { assertionRules } from '../../../../build/lint/assertion-rules.ts';

const names = Object.keys(assertionRules.rules ?? {});
const linter = new Linter();

/** The rules that a test breaks whose body this is, without their plug-in's name. */
function broken(body: string): string[] {
  const messages = linter.verify(`test('a sentence', async (t) => {\n${body}\n});`, [
    {
      files: ['**'],
      languageOptions: { parser: tseslint.parser },
      plugins: { assertions: assertionRules },
      rules: Object.fromEntries(names.map((name) => [`assertions/${name}`, 'error'])),
    },
  ]);
  assert.deepEqual(
    messages.filter(({ fatal }) => fatal),
    [],
  );
  return messages.map(({ ruleId }) => ruleId?.replace('assertions/', '') ?? '');
}

const found: Readonly<Record<string, readonly string[]>> = {
  'missing-value': [
    "assert.ok((counters['packets'] ?? 1) > 0);",
    'assert.ok((bytes ?? 0) < 700, `${bytes}`);',
    'assert((bytes ?? 0) <= limit);',
    'assert.ok(limit > (bytes! ?? 0));',
    'assert.ok((left ?? Infinity) >= 3);',
    'assert.ok(all.length > 0 && (first?.ms ?? -1) < 5);',
    'assert.ok(said ?? true);',
    'assert.ok(!(said ?? false));',
    "assert.doesNotMatch(next ?? '', /--ca/);",
    "assert.match(next ?? '', /(--ca)?/);",
  ],
  'short-limit': [
    'await page.goto(address, { timeout: 2_000 });',
    'run(program, args, { timeoutMs: 10_000 });',
    'const signal = AbortSignal.timeout(500);',
    'const goneLimitMs = 10_000;',
    'const browser = await puppeteer.launch({ pipe: true });',
    'await chromium.launch();',
  ],
  'short-pattern': ['assert.match(stderr, /port/);', 'assert.match(stderr, /ms/i);'],
  'many-exit-codes': [
    'assert.ok(code === 4 || code === 2 || code === 3, stderr);',
    'assert.ok([0, 4, 5].includes(code ?? -1));',
    'assert.ok(result.code === 0 || result.code === 1 || result.code === 2);',
  ],
  'silent-end': [
    'if (!existsSync(folder)) return;\nassert.ok(true);',
    'const out = tempFolder(t);\nif (!existsSync(folder)) { return; }\nassert.ok(out);',
  ],
};

const fine = [
  "assert.ok((counters['packets'] ?? 0) > 0);",
  'assert.ok((bytes ?? Infinity) < 700);',
  'assert.ok(all.first !== null && (all.first ?? 0) > 0);',
  'assert.ok((ms ?? 0) > 0 && (ms ?? 0) < 5);',
  'assert.ok(Math.abs((bytes ?? 0) - 9216) <= 4);',
  "assert.match(next ?? '', /--ca/);",
  "assert.doesNotMatch(next ?? '--ca', /--ca/);",
  'assert.ok(said ?? other);',
  'console.log((bytes ?? 0) < 700);',
  'assert.match(stderr, /\\bport\\b/);',
  'assert.match(stderr, /port 80/);',
  'assert.doesNotMatch(stderr, /port/);',
  'assert.ok(code === 0 || code === 4, stderr);',
  "assert.ok(kind === 'a' || kind === 'b' || kind === 'c');",
  'if (await skipsWithout(t, name)) return;\nassert.ok(true);',
  'const client = clientOrSkip(t);\nif (client === undefined) return;\nassert.ok(client);',
  "if (!existsSync(folder)) {\n  t.skip('nothing is there');\n  return;\n}",
  'assert.ok(one);\nif (two) return;\nassert.ok(three);',
  'list.forEach((one) => { if (one) return; assert.ok(two); });',
  'await page.goto(address, { timeout: 60_000 });',
  'await puppeteer.launch({ pipe: true, timeout: startLimitMs });',
  'await fake.launch(options);',
  'const limitMs = 4 * tookMs;',
  'const quietMs = 300;',
  'assert.equal(await untilRest({ quietMs, limitMs: 1_500 }), false);',
];

test('an assertion that holds whatever the code does, and a limit that a busy machine exceeds, are found, each by its own rule', () => {
  assert.deepEqual(Object.keys(found).toSorted(), names.toSorted());
  for (const [rule, bodies] of Object.entries(found))
    for (const body of bodies) assert.deepEqual(broken(body), [rule], body);
});

test('an assertion that can fail is not, and neither is a limit that is long enough', () => {
  for (const body of fine) assert.deepEqual(broken(body), [], body);
});
