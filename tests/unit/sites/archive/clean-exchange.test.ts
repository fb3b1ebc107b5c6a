import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanExchange } from '../../../../sites/archive/clean-exchange.ts';

const exchange = {
  entry: {
    method: 'GET',
    host: 'shop.example',
    path: '/',
    query: 'page=2&access_token=abc&sid=9',
    range: '',
    status: 200,
    headers: [
      ['Set-Cookie', 'id=1'],
      ['Content-Type', 'text/html'],
      ['Alt-Svc', 'h3=":443"'],
      ['Transfer-Encoding', 'chunked'],
      ['set-cookie', 'id=2'],
    ] satisfies [string, string][],
    startMs: 0,
    waitMs: 0,
  },
  requestBody: null,
  body: null,
};

test('cookies and tokens go and are named, and so does what belonged to the connection', () => {
  const { exchange: cleaned, removed } = cleanExchange(exchange, false);
  assert.deepEqual(cleaned.entry.headers, [['Content-Type', 'text/html']]);
  assert.equal(cleaned.entry.query, 'page=2&access_token=removed&sid=removed');
  assert.deepEqual(removed, ['header set-cookie', 'header set-cookie', 'query access_token', 'query sid']);
});

test('on request they stay, the connection’s own headers never', () => {
  const { exchange: cleaned, removed } = cleanExchange(exchange, true);
  assert.deepEqual(
    cleaned.entry.headers.map(([name]) => name),
    ['Set-Cookie', 'Content-Type', 'set-cookie'],
  );
  assert.equal(cleaned.entry.query, exchange.entry.query);
  assert.deepEqual(removed, []);
});
