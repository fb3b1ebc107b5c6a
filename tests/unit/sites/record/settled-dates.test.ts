import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDate } from '../../../../sites/record/settled-dates.ts';
import {
  dateAfter,
  harEntry,
  importedHar,
  importedWarc,
  warcResponse,
} from '../../../support/imported-file.ts';

const page = { url: 'https://dat.test/', body: '<!doctype html><title>dates</title>' };

test('one date that cannot be read or be true does not move an archive', async (t) => {
  for (const bad of [
    '',
    '2026-01-02T3:04:05.000Z',
    '1970-01-01T00:00:00.993+00:00',
    '2026-01-02 03:04:05,123',
  ]) {
    const entries = [
      harEntry({ ...page, atSeconds: 0 }),
      harEntry({ url: 'https://dat.test/a', atSeconds: 1 }),
      harEntry({ url: 'https://dat.test/b', atSeconds: 60 }),
      harEntry({ url: 'https://dat.test/bad', entry: { startedDateTime: bad } }),
    ];
    const { index, warnings } = await importedHar(t, entries);
    assert.equal(index.recordedAt, dateAfter(0), bad);
    assert.deepEqual(
      index.entries.map(({ startMs }) => startMs),
      [0, 1000, 60_000, 1000],
    );
    const told = warnings.find((warning) => warning.includes('dates that cannot be read')) ?? '';
    assert.ok(
      told.includes('1; the median of the others') && told.includes(`https://dat.test/bad ("${bad}")`),
      told,
    );
  }
});

test('a file without any date that can be read is of the present', async (t) => {
  const before = Date.now();
  const entry = harEntry({ ...page, entry: { startedDateTime: 'soon' } });
  const { index, warnings } = await importedHar(t, [entry]);
  assert.ok(Date.parse(index.recordedAt) >= before);
  assert.match(warnings.join(), /cannot be read: 1; the present.*"soon"/);
});

test('a date of 14 digits among others is read as ARC files mean it', async (t) => {
  const { index, warnings } = await importedWarc(t, [
    warcResponse({ ...page, atSeconds: 5 }),
    warcResponse({ url: 'https://dat.test/a', more: { 'WARC-Date': '20260102030405' } }),
  ]);
  assert.equal(index.recordedAt, dateAfter(0));
  assert.deepEqual(
    index.entries.map(({ startMs }) => startMs),
    [5000, 0],
  );
  assert.doesNotMatch(warnings.join(), /dates/);
  assert.equal(readDate('20261399999999'), null);
});
