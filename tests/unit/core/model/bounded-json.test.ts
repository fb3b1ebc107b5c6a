import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonOf, parseForeignJson } from '../../../../src/core/model/bounded-json.ts';

const nested = (deep: number, open = '[', close = ']'): string => open.repeat(deep) + close.repeat(deep);

test('documents are read as JSON.parse reads them, whatever their texts hold', () => {
  const values = [
    null,
    'a "quoted" \\ text, with [brackets] and {braces}',
    { '[[[': ']]]', 'a\\': '\\', list: [1, -2.5, true, [], {}] },
    '['.repeat(10_000),
    `${'"['.repeat(1000)}\\\\`,
  ];
  for (const value of values) assert.deepEqual(parseForeignJson(JSON.stringify(value, null, 1)), value);
  const revived = parseForeignJson('{"a":null,"b":1}', (_, value) => value ?? undefined);
  assert.deepEqual(revived, { b: 1 });
  for (const text of ['', '[', '"', '"\\', '{"a":1,}', ']'])
    assert.throws(() => parseForeignJson(text), SyntaxError);
});

test('values within values are read as deep as readers can go, and no deeper', () => {
  assert.ok(Array.isArray(parseForeignJson(nested(500))));
  const tooDeep = { name: 'SyntaxError', message: /more than 500 deep/ };
  for (const text of [nested(501), '['.repeat(100_000_000), '{"a":'.repeat(501), nested(501, '[{"a":', '}]')])
    assert.throws(() => parseForeignJson(text), tooDeep);
});

test('more values than any document has are refused before they fill the memory', () => {
  const before = process.memoryUsage().heapUsed;
  for (const item of ['{}', '[]', '0'])
    assert.throws(() => parseForeignJson(`[${`${item},`.repeat(20_000_001)}0]`), {
      name: 'SyntaxError',
      message: /more than 20000000 values/,
    });
  assert.ok(process.memoryUsage().heapUsed - before < 300_000_000);
});

test('what is no JSON says nothing, and what is too deep for a reader neither', () => {
  assert.deepEqual(jsonOf('{"a":[1]}'), { a: [1] });
  assert.equal(jsonOf('null'), null);
  assert.equal(jsonOf('{"a":[1'), undefined);
  assert.equal(jsonOf(nested(501), parseForeignJson), undefined);
});
