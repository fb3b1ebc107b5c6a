import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { changingNotes } from '../../../../src/app/site/record.ts';
import { archiveOf, type Given } from '../../../support/archive-of.ts';

async function notesOf(...given: readonly (string | Given)[]): Promise<string[]> {
  return changingNotes(archiveOf(given.map((each) => (typeof each === 'string' ? { path: each } : each))));
}

test('addresses that each load asks for anew are named, with the switch that settles them', async () => {
  assert.deepEqual(await notesOf('/', '/a?page=2', '/b?q=time'), []);
  const changing = ['/x?t=1700000000000', '/y?id=7&r=0.7215532', '/z?1700000000000', '/u?cb=9'];
  const [note = '', ...others] = await notesOf('/', ...changing, '/x?t=1700000000000');
  assert.deepEqual(others, []);
  assert.match(
    note,
    /^4 addresses have times or random numbers in them \(--deterministic .*\): https:\/\/site\.test\/x\?t=/,
  );
  assert.match((await notesOf('/u?cb=9'))[0] ?? '', /^1 address has .*: https:\/\/site\.test\/u\?cb=9$/);
});

test('so is what a script made up, wherever in an address it is, and nothing that an answer held', async () => {
  const type = (value: string): readonly [string, string] => ['content-type', value];
  const madeUp = [
    '/search?id=x7k2m9qp4t',
    '/of/1700000000000/data.json',
    '/trace/3f2b8c1d-9e4a-4b7c-8d21-5a6f7e8d9c0b',
    '/feed?day=2026-01-01',
    '/since?from=2026-01-01T10%3A20%3A30.000Z',
    '/login?mark=c0ffee5eed1',
  ];
  for (const path of madeUp) assert.equal((await notesOf('/', path)).length, 1, path);
  // An answer that repeats what it was asked for says nothing of where that came from.
  const padded = { path: '/list?callback=jQuery351_x9f8e7d6c5', headers: [type('text/javascript')] };
  assert.equal((await notesOf('/', { ...padded, text: 'jQuery351_x9f8e7d6c5([])' })).length, 1);
  const page = {
    path: '/',
    headers: [type('text/html'), ['content-encoding', 'gzip'] as const, ['x-build', '3f2b8c1d'] as const],
    text: gzipSync(
      '<script src="/app.0a1b2c3d4e.js"></script><i data-id="x7k2m9qp4t" data-day="2026-01-01">',
    ),
  };
  const held = ['/app.0a1b2c3d4e.js', '/search?id=x7k2m9qp4t', '/feed?day=2026-01-01', '/of/3f2b8c1d/data'];
  assert.deepEqual(await notesOf(page, ...held, '/token?token=h2h3-0123456789abcdef', '/size?w=1350'), []);
});
