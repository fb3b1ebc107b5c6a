import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DumbbellRow } from '../../../../reports/format/dumbbell-rows.ts';
import { dumbbellRow } from '../../../../reports/format/dumbbell-rows.ts';
import { changeAxisOf, placeOfChange } from '../../../../reports/format/change-axis.ts';
import { dumbbellSvg } from '../../../../reports/svg/dumbbell.ts';

function row(
  ratio: number | null,
  { leads = true, difference = null as number | null, median = 100, higherIsBetter = false } = {},
): DumbbellRow {
  return dumbbellRow(
    {
      unit: 'ms',
      higherIsBetter,
      blocks: 8,
      ratio,
      ratioInterval: ratio === null ? null : [ratio - 0.01, ratio + 0.01],
      difference,
      differenceInterval: difference === null ? null : [difference - 1, difference + 1],
      margin: ratio === null ? 10 : 0.03,
      pValue: null,
      adjustedPValue: null,
      verdict: 'worse',
    },
    { name: 'Load time', medians: '', median, leads },
  );
}

const drawn = (...rows: readonly DumbbellRow[]): string =>
  dumbbellSvg({ rows, metric: '', baseline: 'HTTP/2', candidate: 'HTTP/3' });

test('one signed axis reaches as far as the rows that lead, and a row far beyond is a cut bar with its number', () => {
  const rows = [row(1.035), row(2.48, { leads: false })];
  assert.equal(changeAxisOf(rows).reach, Math.log(1.05));
  const svg = drawn(...rows);
  for (const label of ['−4.8\u202f%', '0', '+5.0\u202f%']) assert.ok(svg.includes(`>${label}<`), label);
  assert.match(svg, /class="db-cut"[^>]*>\+148\u202f%<\/text><text class="db-cut"[^>]*>▸</);
  assert.equal([...svg.matchAll(/class="db-to"/g)].length, 1, 'what is cut has no point that would lie');
});

test('a row that leads is never cut below 100 %', () => {
  const svg = drawn(row(1.01), row(1.9));
  assert.doesNotMatch(svg, /db-cut/);
  assert.match(svg, />\+100\u202f%</);
});

test('changes that lead have the axis that they need, and an interval alone ends at three times', () => {
  assert.equal(changeAxisOf([row(2.71), row(4.88), row(4.05)]).reach, Math.log(6));
  const wide = { ...row(1.2), interval: [-50, 400] as const };
  assert.equal(changeAxisOf([wide]).reach, Math.log(3));
});

test('differences are shown in percent of the baseline, and not at all where that is zero', () => {
  assert.equal(row(null, { difference: 20 }).estimate, 20);
  assert.equal(row(null, { difference: 20, median: 0 }).estimate, null);
  assert.equal(row(null, { difference: 0, median: 0 }).estimate, 0);
  assert.doesNotMatch(drawn(row(null, { difference: 20, median: 0 })), /NaN|Infinity|db-to/);
});

test('an end of an interval beyond the axis has its number, where the estimate is on it', () => {
  const wide = { ...row(1.04), interval: [-8.2, 148] as const };
  const svg = drawn(row(1.035), { ...wide, leads: false });
  assert.equal(changeAxisOf([row(1.035), { ...wide, leads: false }]).reach, Math.log(1.05));
  assert.match(
    svg,
    /class="db-past"[^>]* text-anchor="end">\+148\u202f%<\/text><text class="db-past"[^>]*>▸</,
  );
  assert.match(
    svg,
    /class="db-past"[^>]* text-anchor="start">−8\.2\u202f%<\/text><text class="db-past"[^>]*>◂</,
  );
  assert.equal([...svg.matchAll(/class="db-to"/g)].length, 2, 'both estimates are on the axis');
  assert.doesNotMatch(drawn(row(1.035)), /db-past/);
});

/** Where the candidate's point stands, in percent of the width. */
const pointsOf = (svg: string): number[] =>
  [...svg.matchAll(/class="db-to" cx="([\d.]+)%"/g)].map(([, at]) => Number(at));

test('left is better, of times and of rates, and a half is as far from no change as the double', () => {
  const [half = NaN, double = NaN] = pointsOf(drawn(row(0.5), row(2)));
  assert.ok(half < 50 && double > 50, `${half} and ${double}`);
  assert.ok(Math.abs(50 - half - (double - 50)) < 0.02, `${half} and ${double}`);
  const [lower = NaN, higher = NaN] = pointsOf(
    drawn(row(0.5, { higherIsBetter: true }), row(2, { higherIsBetter: true })),
  );
  assert.deepEqual([lower, higher], [double, half]);
  assert.equal(placeOfChange(-100, { higherIsBetter: false }), -Infinity);
});

test('ticks are percent of the rows, and times where more is better of some rows and less of others', () => {
  const textsOf = (...rows: readonly DumbbellRow[]): string[] =>
    changeAxisOf(rows).ticks.map(({ text }) => text);
  assert.deepEqual(textsOf(row(0.6)), ['−50\u202f%', '−29\u202f%', '0', '+40\u202f%', '+100\u202f%']);
  const rates = row(0.6, { higherIsBetter: true });
  assert.deepEqual(textsOf(rates), ['+100\u202f%', '+40\u202f%', '0', '−29\u202f%', '−50\u202f%']);
  assert.deepEqual(textsOf(row(0.6), rates), ['2×', '1.4×', '0', '1.4×', '2×']);
});

test('the number of an end beyond the axis lies on no point, on the narrowest phone either', () => {
  const widthPx = 267;
  const below = [0.5, 1.5, 2.5, 3.5, 4.5].map((percent) => {
    const wide = { ...row(1 + percent / 100), interval: [-1, 148] as const, leads: false };
    const svg = drawn(row(1.035), wide);
    const [, at, y] = [...svg.matchAll(/class="db-to" cx="([\d.]+)%" cy="([\d.]+)"/g)].at(-1) ?? [];
    const [, numberY, text = ''] = /class="db-past"[^>]* y="([\d.]+)"[^>]*>(\+148[^<]*)</.exec(svg) ?? [];
    const belowPx = Number(numberY) - Number(y);
    const leftPx = 0.98 * widthPx - 11 - text.length * 7.5;
    const isClear = (Number(at) / 100) * widthPx + 6 < leftPx || belowPx - 9 >= 6;
    assert.ok(isClear, `${percent} %: point at ${at} %, number ${belowPx} px below it`);
    return belowPx > 9;
  });
  assert.deepEqual([below[0], below.at(-1)], [false, true], 'it stands on the line where there is room');
});
