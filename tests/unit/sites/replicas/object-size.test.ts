import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeOfObject } from '../../../../sites/replicas/object-size.ts';
import type { ObjectType } from '../../../../sites/replicas/site-shape.ts';

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
