import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMoment } from '../../../../../src/core/metrics/evidence/har-moment.ts';

const wholeMs = Date.parse('2026-01-01T12:00:00.298Z');

test('whole milliseconds are read with their resolution', () => {
  assert.deepEqual(parseMoment('2026-01-01T12:00:00.298Z'), { epochMs: wholeMs, resolutionMs: 1 });
});

test('microseconds are kept', () => {
  const { epochMs, resolutionMs } = parseMoment('2026-01-01T12:00:00.298250Z');
  assert.ok(Math.abs((epochMs ?? 0) - wholeMs - 0.25) < 1e-3);
  assert.equal(resolutionMs, 0.001);
});

test('what is no date has no moment', () => {
  for (const text of ['', 'yesterday', null, 5]) assert.equal(parseMoment(text).epochMs, null);
});
