import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeOfObject } from '../../../../sites/replicas/object-size.ts';
import { shippedShapes } from '../../../../sites/replicas/shipped-shapes.ts';
import type { ObjectType, ShapeRequest } from '../../../../sites/replicas/site-shape.ts';

function size(type: ObjectType, wireBytes: number | null, rawBytes: number | null): [number, number] {
  const request = { host: 0, type, wireBytes, rawBytes, startMs: 0, initiator: null, urgency: null };
  const { wireBytes: wire, rawBytes: raw } = sizeOfObject(request);
  return [wire, raw];
}

test('recorded sizes are kept', () => {
  assert.deepEqual(size('js', 3000, 9000), [3000, 9000]);
  assert.deepEqual(size('js', 9000, 9000), [9000, 9000]);
  assert.deepEqual(size('image', 500, null), [500, 500]);
});

test('of a text whose encoded size is unknown no more is sent than texts of its type are encoded to', () => {
  for (const type of ['html', 'css', 'js', 'json'] as const)
    for (const unknown of [null, 0]) {
      const [wire, raw] = size(type, unknown, 1_000_000);
      assert.equal(raw, 1_000_000);
      assert.ok(wire > 100_000 && wire < 350_000, `${type}: ${wire}`);
    }
  assert.deepEqual(size('image', null, 1_000_000), [1_000_000, 1_000_000]);
  assert.deepEqual(size('js', null, 300), [300, 300], 'too small to be encoded');
});

test('of pages of which no encoded size was recorded nine in ten are within a quarter of what they were, and none is far too heavy', () => {
  const factors = shippedShapes().flatMap(({ requests }) => {
    const known = requests.filter(({ wireBytes, rawBytes }) => (wireBytes ?? 0) > 0 && (rawBytes ?? 0) > 0);
    const sum = (bytes: (request: ShapeRequest) => number): number =>
      known.reduce((total, request) => total + bytes(request), 0);
    const recorded = sum(({ wireBytes }) => wireBytes ?? 0);
    const guessed = sum((request) => sizeOfObject({ ...request, wireBytes: null }).wireBytes);
    return known.length < 10 ? [] : [guessed / recorded];
  });
  const off = factors.filter((factor) => factor > 1.25 || factor < 1 / 1.25);
  assert.ok(factors.length > 50, `${factors.length} pages`);
  assert.ok(off.length <= factors.length / 10, String(off));
  assert.ok(Math.max(...factors) < 1.4, String(Math.max(...factors)));
});
