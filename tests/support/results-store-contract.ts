import assert from 'node:assert/strict';
import type { ResultsStore } from '../../src/store/results/results-store.ts';

/** What every results store keeps to. @param open makes another handle of one and the same place */
export async function keepsContract(open: () => Promise<ResultsStore>): Promise<void> {
  const one = await open();
  const other = await open();
  try {
    assert.equal(await one.get('a/none'), null);
    assert.deepEqual(await one.list('a/'), []);
    assert.equal(await one.put('a/first', 'text'), true);
    assert.equal(Buffer.from((await other.get('a/first')) ?? []).toString(), 'text');
    await other.put('a/first', 'new');
    assert.equal(Buffer.from((await one.get('a/first')) ?? []).toString(), 'new');
    assert.equal(await other.put('a/first', 'third', { ifAbsent: true }), false);
    assert.equal(Buffer.from((await one.get('a/first')) ?? []).toString(), 'new', 'it was not written over');

    const bytes = new Uint8Array(300_000).map((_, index) => (index * 7) % 251);
    await one.put('a/deep/er', bytes);
    assert.deepEqual(new Uint8Array((await other.get('a/deep/er')) ?? []), bytes);
    assert.deepEqual((await other.list('a/')).sort(), ['a/deep/er', 'a/first']);

    const rivals = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : other));
    for (let round = 0; round < 5; round++) {
      const key = `claims/${round}`;
      const told = await Promise.all(
        rivals.map((store, index) => store.put(key, String(index), { ifAbsent: true })),
      );
      assert.equal(told.filter(Boolean).length, 1, 'one of those that ask at once gets it');
      assert.equal(Buffer.from((await one.get(key)) ?? []).toString(), String(told.indexOf(true)));
    }
    const many = Array.from({ length: 1_050 }, (_, index) => `many/${index}`);
    for (let at = 0; at < many.length; at += 50)
      await Promise.all(many.slice(at, at + 50).map((key) => one.put(key, '')));
    assert.equal((await other.list('many/')).length, many.length, 'more than a page of keys');
  } finally {
    one.close();
    other.close();
  }
}
