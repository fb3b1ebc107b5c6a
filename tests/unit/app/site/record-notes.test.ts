import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changingNotes } from '../../../../src/app/site/record.ts';
import { archiveOf } from '../../../support/archive-of.ts';

test('addresses that each load asks for anew are named, with the switch that settles them', () => {
  const noteOf = (...paths: string[]): string[] =>
    changingNotes(archiveOf(paths.map((path) => ({ path }))).index);
  assert.deepEqual(noteOf('/', '/a?page=2', '/b?q=time'), []);
  const changing = ['/x?t=1700000000000', '/y?id=7&r=0.7215532', '/z?1700000000000', '/u?cb=9'];
  const [note = '', ...others] = noteOf('/', ...changing, '/x?t=1700000000000');
  assert.deepEqual(others, []);
  assert.match(
    note,
    /^4 addresses have times or random numbers in them \(--deterministic .*\): https:\/\/site\.test\/x\?t=/,
  );
  assert.match(noteOf('/u?cb=9')[0] ?? '', /^1 address has .*: https:\/\/site\.test\/u\?cb=9$/);
});
