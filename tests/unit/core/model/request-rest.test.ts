import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestRest } from '../../../../src/core/model/request-rest.ts';

/** A page that has loaded after 1 s, and asks for something 2 s after it began. */
function pageThatAsks(): RequestRest {
  const rest = new RequestRest(0);
  rest.loaded(1000);
  rest.sent('late', 'GET https://a.test/late.js', 2000);
  return rest;
}

test('what is asked for after the load event is waited for until it has come', () => {
  const rest = pageThatAsks();
  assert.equal(rest.quietForMs(4000), 0);
  rest.ended('late', 4500);
  assert.equal(rest.quietForMs(5000), 500);
});

test('a request that is not answered is given up after five seconds of silence', () => {
  const rest = pageThatAsks();
  assert.equal(rest.quietForMs(6900), 0);
  assert.equal(rest.quietForMs(7100), 5100);
});

test('over a slow stretch of a link an answer is waited for while anything comes', () => {
  const rest = pageThatAsks();
  for (const atMs of [3000, 6000, 9000, 13_000]) rest.arrived(atMs);
  assert.equal(rest.quietForMs(17_900), 0);
  rest.ended('late', 17_950);
  assert.equal(rest.quietForMs(18_000), 50);
});

test('a page that polls for ever over a busy connection comes to rest all the same', () => {
  const rest = pageThatAsks();
  for (let atMs = 2000; atMs < 40_000; atMs += 500) rest.arrived(atMs);
  assert.equal(rest.quietForMs(31_900), 0);
  assert.ok(rest.quietForMs(32_100) > 0);
});

test('an answer of which nothing more comes is given up after two seconds of silence', () => {
  const rest = pageThatAsks();
  rest.progressed('late', 3000);
  assert.equal(rest.quietForMs(4900), 0);
  assert.equal(rest.quietForMs(5100), 2100);
  rest.arrived(4900);
  assert.equal(rest.quietForMs(5100), 0);
});

test('what a page asks for again and again after its load is not waited for', () => {
  const rest = pageThatAsks();
  rest.ended('late', 2100);
  for (const [index, atMs] of [3000, 4000, 5000, 6000].entries())
    rest.sent(`poll ${index}`, `GET https://a.test/poll?t=${atMs}`, atMs);
  rest.ended('poll 0', 3100);
  rest.ended('poll 1', 4100);
  assert.equal(rest.quietForMs(6500), 2400);
});

test('where every request must end, none is given up', () => {
  const rest = new RequestRest(0, { waitsForAll: true });
  rest.loaded(1000);
  rest.sent('chunk', 'GET https://a.test/chunk', 2000);
  assert.equal(rest.quietForMs(60_000), 0);
});
