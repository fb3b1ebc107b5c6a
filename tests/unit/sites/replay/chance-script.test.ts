import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { chanceScript } from '../../../../sites/replay/chance-script.ts';

const epochMs = Date.parse('2026-01-02T03:04:05Z');

/** Evaluates `expression` in a page-like world of its own, after the page script. */
function evaluate(expression: string): unknown {
  const world = {
    crypto: { getRandomValues: crypto.getRandomValues.bind(crypto), randomUUID: () => crypto.randomUUID() },
  };
  return runInNewContext(`${chanceScript(epochMs)}; JSON.stringify(${expression})`, world);
}

test('time and chance are the same in each load', () => {
  const expression =
    '[Date.now(), new Date().getTime(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]]';
  const first = evaluate(expression);
  assert.equal(evaluate(expression), first);
  assert.match(String(first), new RegExp(`^\\[${epochMs},${epochMs},0\\.\\d+,"[0-9a-f]{8}-[0-9a-f]{4}-4`));
});

test('dates that are told their time keep it, and stay dates', () => {
  assert.equal(
    evaluate('[new Date(5).getTime(), Date.UTC(2000, 0), new Date() instanceof Date]'),
    '[5,946684800000,true]',
  );
});

test('what shows the present time shows the settled one', () => {
  const expected = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: 'UTC' }).format(epochMs);
  assert.equal(
    evaluate(`new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: 'UTC' }).format()`),
    JSON.stringify(expected),
  );
});

test('a wait of 500 ms ends after a few hundred readings', () => {
  const turns = Number(
    evaluate(
      '(() => { const end = Date.now() + 500; let turns = 0; while (Date.now() < end) turns++; return turns; })()',
    ),
  );
  assert.ok(turns > 200 && turns <= 300, String(turns));
});

test('a loop that waits for time comes to its end', () => {
  assert.equal(
    evaluate(
      '(() => { const end = Date.now() + 3; let turns = 0; while (Date.now() < end) turns++; return turns < 1000; })()',
    ),
    'true',
  );
});

test('a clock that a page sets is its own', () => {
  assert.equal(
    evaluate('(() => { Date.now = () => 42; return [Date.now(), +new Date()]; })()'),
    `[42,${epochMs}]`,
  );
});

test('null is the date of 1970 and undefined none, for formats and parts, and a format keeps its function', () => {
  const told = evaluate(`(() => {
    const format = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' });
    const year = (parts) => parts.find(({ type }) => type === 'year').value;
    return [
      format.format(null), format.format(undefined), format.format(),
      year(format.formatToParts(null)), year(format.formatToParts()), format.format === format.format,
    ];
  })()`);
  assert.equal(told, '["1970","2026","2026","1970","2026",true]');
});
