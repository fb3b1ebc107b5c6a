import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  advantageInMargins,
  effectText,
  intervalText,
  marginText,
  takeaway,
} from '../../../../reports/format/verdict-words.ts';
import type { Judged } from '../../../../reports/format/verdict-words.ts';

const slower: Judged = {
  unit: 'ms',
  higherIsBetter: false,
  blocks: 8,
  ratio: 1.07,
  ratioInterval: [1.04, 1.11],
  difference: null,
  differenceInterval: null,
  margin: 0.03,
  pValue: 0.008,
  adjustedPValue: 0.016,
  verdict: 'worse',
};

describe('a comparison in words', () => {
  test('says verdict, size, direction, interval, n and p in one sentence', () => {
    assert.equal(
      takeaway(slower, 'HTTP/3'),
      'HTTP/3 is worse: 7.0\u202f% higher (95 % interval +4.0\u202f% to +11\u202f%, n = 8 blocks, p beyond the margin = 0.016).',
    );
  });

  test('a difference carries the unit of its metric', () => {
    const stalls: Judged = {
      ...slower,
      ratio: null,
      ratioInterval: null,
      difference: 120,
      differenceInterval: [-5, 300],
      margin: 100,
    };
    assert.equal(effectText(stalls), '+120 ms');
    assert.equal(intervalText(stalls), '−5 to +300 ms');
    assert.equal(marginText(stalls), '±100 ms');
  });

  test('an undecided one says why and what would decide it', () => {
    const text = takeaway(
      {
        ...slower,
        verdict: 'inconclusive',
        reason: 'n below 6',
        blocksNeeded: [24, 24],
        ratioInterval: null,
      },
      'HTTP/3',
    );
    assert.match(text, /^Not decided: \+7\.0\u202f% \(no interval, n = 8 blocks/);
    assert.match(text, /n below 6\. A decision may need about 24 blocks\.$/);
    const found = takeaway({ ...slower, verdict: 'inconclusive', smallestDetectable: 0.054 }, 'HTTP/3');
    assert.match(found, / 8 blocks usually detect a change of 5\.4\u202f% or more\.$/);
  });

  test('an equivalent one whose interval reaches out of the margin says what decides', () => {
    const equivalent: Judged = { ...slower, verdict: 'equivalent', ratio: 1.01, ratioInterval: [0.99, 1.04] };
    assert.match(takeaway(equivalent, 'HTTP/3'), /\. Two one-sided tests decide this, not the interval\.$/);
    assert.doesNotMatch(takeaway({ ...equivalent, ratioInterval: [0.99, 1.02] }, 'HTTP/3'), /one-sided/);
  });

  test('without any estimate it claims nothing', () => {
    const text = takeaway(
      { ...slower, ratio: NaN, difference: null, verdict: 'inconclusive', blocks: 0 },
      'HTTP/3',
    );
    assert.match(text, /^No result: 0 blocks/);
    assert.equal(effectText({ ...slower, ratio: Infinity }), 'no estimate');
    assert.equal(intervalText({ ...slower, ratioInterval: [NaN, 1] }), 'no interval');
  });

  test('the advantage is positive where the candidate is better, whatever the metric', () => {
    assert.ok((advantageInMargins(slower, 1.07) ?? 0) < -1);
    assert.ok((advantageInMargins({ ...slower, higherIsBetter: true }, 1.07) ?? 0) > 1);
    assert.equal(advantageInMargins(slower, 0), null);
  });
});
