import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextToRealPages } from '../../../../src/analyse/distributions/real-pages.ts';
import type { CorpusPage } from '../../../../src/core/model/corpus.ts';

function page(of: number): CorpusPage {
  const common = { workload: `page-${of}`, title: `Page ${of}`, measured: true };
  return { ...common, objectCount: of, wireBytes: of * 1_000, hostCount: 2, tbtMs: of <= 4 ? of : null };
}

test('pages stand next to real ones share by share, and figures of too few pages are left out', () => {
  const figures = nextToRealPages(Array.from({ length: 11 }, (_, of) => page(of)));
  assert.deepEqual(
    figures.map(({ figure, pages }) => [figure, pages]),
    [
      ['objectCount', 11],
      ['wireBytes', 11],
      ['hostCount', 11],
      ['tbtMs', 5],
    ],
  );
  assert.deepEqual(
    figures[0]?.spread.map(({ share, ours, published }) => [share, ours, published]),
    [
      [0.1, 1, 27],
      [0.25, 2.5, 46],
      [0.5, 5, 77],
      [0.75, 7.5, 122],
      [0.9, 9, 185],
    ],
  );
  assert.deepEqual(
    figures[2]?.spread.map(({ published }) => published),
    [null, null, 16, null, null],
    'what nobody published is not made up',
  );
  assert.deepEqual(nextToRealPages([page(1), page(2), page(3), page(4)]), []);
});
