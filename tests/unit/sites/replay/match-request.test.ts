import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArchiveEntry } from '../../../../sites/archive/archive-index.ts';
import { RequestMatcher, type RequestToMatch } from '../../../../sites/replay/match-request.ts';

function entry(query: string, changes: Partial<ArchiveEntry> = {}): ArchiveEntry {
  return {
    ...wanted(query),
    status: 200,
    headers: [],
    body: null,
    bodyBytes: 0,
    startMs: 0,
    waitMs: 0,
    ...changes,
  };
}

function wanted(query: string, changes: Partial<RequestToMatch> = {}): RequestToMatch {
  return { method: 'GET', host: 'a.example', path: '/x', query, range: '', requestBody: null, ...changes };
}

test('the closest answer wins: exact, then order, then volatile keys, then overlap', () => {
  const matcher = new RequestMatcher([
    entry('a=1&b=2'),
    entry('b=2&a=1'),
    entry('user=7&_=1700000000000'),
    entry('k=1&l=2&m=3'),
  ]);
  const found = (query: string): [string | undefined, string | undefined] => {
    const match = matcher.match(wanted(query));
    return [match?.entry.query, match?.kind];
  };
  assert.deepEqual(found('b=2&a=1'), ['b=2&a=1', 'exact']);
  assert.deepEqual(found('l=2&m=3&k=1'), ['k=1&l=2&m=3', 'same-query']);
  assert.deepEqual(found('user=7&_=1800000000000'), ['user=7&_=1700000000000', 'volatile-query']);
  assert.deepEqual(found('k=1&l=2&m=9'), ['k=1&l=2&m=3', 'overlap']);
  assert.deepEqual(found('k=9&l=9&m=9'), [undefined, undefined]);
});

test('a token that was taken out when recording matches any', () => {
  const matcher = new RequestMatcher([entry('page=1&access_token=removed')]);
  assert.equal(matcher.match(wanted('page=1&access_token=abc'))?.kind, 'volatile-query');
  assert.equal(matcher.match(wanted('page=2&access_token=abc')), null);
});

test('another host, path, method or range has no answer', () => {
  const matcher = new RequestMatcher([entry('a=1')]);
  for (const changes of [{ host: 'b.example' }, { path: '/y' }, { method: 'POST' }, { range: 'bytes=0-1' }]) {
    assert.equal(matcher.match(wanted('a=1', changes)), null, JSON.stringify(changes));
  }
  assert.ok(matcher.match(wanted('a=1', { method: 'HEAD' })));
});

test('bodies tell requests apart, and a new body takes the nearest', () => {
  const post = { method: 'POST', path: '/api' };
  const matcher = new RequestMatcher([
    entry('', { ...post, requestBody: 'one', status: 201 }),
    entry('', { ...post, requestBody: 'two', status: 202 }),
  ]);
  assert.equal(matcher.match(wanted('', { ...post, requestBody: 'two' }))?.entry.status, 202);
  assert.equal(matcher.match(wanted('', { ...post, requestBody: 'three' }))?.kind, 'volatile-query');
});
