import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeVariants } from '../../../../harness/bench/probe-cost.ts';

test('each probe is measured beside none at all and beside what counts its CPU time', () => {
  const variants = probeVariants('page', ['packets', 'trace']);
  assert.deepEqual(
    [...variants],
    [
      ['none', []],
      ['cpu', ['cpu']],
      ['trace', ['trace', 'cpu']],
      ['packets', ['packets', 'cpu']],
    ],
  );
});

test('without names every probe that a page can have is measured, and the usual ones together', () => {
  const variants = probeVariants('page');
  assert.ok(variants.has('har') && variants.has('qlog') && variants.has('har and frames'));
  assert.ok(!variants.has('lighthouse'), 'it begins when the trial has been measured');
});
