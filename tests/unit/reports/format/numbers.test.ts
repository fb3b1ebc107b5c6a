import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { percent, pText, quantity } from '../../../../src/analyse/figures/figures.ts';
import {
  equalsP,
  formatBytes,
  formatCount,
  formatNumber,
  formatP,
  formatRatioPercent,
  formatSigned,
  formatSpan,
  missing,
  plural,
  unbroken,
} from '../../../../reports/format/numbers.ts';

describe('numbers in reports', () => {
  test('are rounded in sentences and tables by one rule', () => {
    const plain = (text: string): string => text.replace(/[+\u2212]/, '').replaceAll('\u202f', ' ');
    for (const fraction of [0.0004, 0.0309, 0.0994, 0.0996, 0.126, 0.613, 2.5, 123.4])
      assert.equal(plain(formatRatioPercent(1 + fraction)), plain(percent(fraction)));
    for (const value of [0.012_34, 3.14159, 99.96, 1234.5]) {
      assert.equal(formatNumber(value), quantity(value, ''));
      assert.equal(equalsP(value / 2000), pText(value / 2000).replace('< ', '<\u202f'));
    }
  });

  test('have three significant digits, a real minus, and groups from five digits on', () => {
    assert.equal(formatNumber(3.14159), '3.14');
    assert.equal(formatNumber(-0.0521), '−0.0521');
    assert.equal(formatNumber(12345.6), '12\u202f346');
    assert.equal(formatNumber(1234.5), '1235');
    assert.equal(formatNumber(0.5), '0.5');
    assert.equal(formatNumber(0), '0');
    assert.equal(formatNumber(-0.00000001), '0');
  });

  test('that are not finite or absent are shown as missing, by every format', () => {
    for (const value of [NaN, Infinity, -Infinity, null, undefined]) {
      for (const format of [
        formatNumber,
        formatSigned,
        formatRatioPercent,
        formatP,
        formatSpan,
        formatBytes,
        formatCount,
      ]) {
        assert.equal(format(value), missing);
      }
    }
  });

  test('a ratio is told as signed percent of change', () => {
    assert.equal(formatRatioPercent(0.93), '−7.0\u202f%');
    assert.equal(formatRatioPercent(1.41), '+41\u202f%');
    assert.equal(formatRatioPercent(1), '0.0\u202f%');
    assert.equal(formatRatioPercent(2.5), '+150\u202f%');
    assert.equal(formatRatioPercent(1.0004), '+0.04\u202f%');
  });

  test('a p value is never rounded below itself', () => {
    assert.equal(formatP(0.0271), '0.028');
    assert.equal(formatP(0.0005), '<\u202f0.001');
    assert.equal(formatP(0.451), '0.46');
    assert.equal(formatP(1), '1.00');
  });

  test('spans, bytes and counts read as words', () => {
    assert.equal(formatSpan(221_000), '3 min 41 s');
    assert.equal(formatSpan(7_500_000), '2 h 5 min');
    assert.equal(formatSpan(1500), '1.5 s');
    assert.equal(formatBytes(1_500_000_000), '1.5 GB');
    assert.equal(plural(1, 'trial'), '1 trial');
    assert.equal(plural(12_345, 'trial'), '12\u202f345 trials');
  });

  test('a number and its unit stay on one line', () => {
    assert.equal(unbroken('is 5.2 % longer, p = 0.01'), 'is 5.2\u00a0% longer, p\u00a0=\u00a00.01');
  });
});
