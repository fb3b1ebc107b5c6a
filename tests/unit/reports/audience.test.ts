import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderAudienceCsv } from '../../../reports/csv/audience-csv.ts';
import { audience } from '../../../reports/html/sections/audience.ts';
import { reportContext } from '../../../reports/html/report-context.ts';
import { renderMarkdown } from '../../../reports/markdown/render-markdown.ts';
import { audienceBars } from '../../../reports/svg/audience-bars.ts';
import { audienceCurve } from '../../../reports/svg/audience-curve.ts';
import { renderTerminalSummary } from '../../../reports/terminal/render-terminal-summary.ts';
import { summarise } from '../../../src/analyse/summary/summarise.ts';
import type { AudienceAnswer } from '../../../src/core/model/audience.ts';
import type { Summary } from '../../../src/core/model/summary.ts';
import { audienceFixture } from '../../support/audience-fixture.ts';
import { generateRun } from '../../support/generated-run.ts';
import { screenFaultsIn, shownIn } from '../../support/plain-words.ts';
import { projectDir } from '../../support/source-graph.ts';

const shares = [0.6, 0.25, 0.1];

function summaryOf(name = 'Cable'): Summary {
  const users = audienceFixture(shares, 0.05);
  const { plan, records } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: users.conditions.map(({ network }) => network),
    slowdown: { h3: 0.8 },
    plan: {
      audience: {
        ...users,
        conditions: users.conditions.map((one, index) =>
          index === 0 ? { ...one, title: `${name}, 20 ms at 50 Mbit/s` } : one,
        ),
      },
    },
  });
  return summarise(plan, records, null, []);
}

const answerOf = ({ audience: result }: Summary): AudienceAnswer => {
  const [answer] = result?.answers ?? [];
  assert.ok(answer);
  return answer;
};

test('each bar is as wide as its share and as high as its change', () => {
  const svg = audienceBars(answerOf(summaryOf()));
  const bars = [...svg.matchAll(/<rect class="ab-good"[^>]* width="([\d.]+)" height="([\d.]+)"/g)].map(
    ([, width, height]) => [Number(width), Number(height)],
  );
  assert.equal(bars.length, 3);
  const whole = bars.reduce((sum, [width = 0]) => sum + width, 0);
  bars.forEach(([width = 0], index) =>
    assert.ok(Math.abs(width / whole - (shares[index] ?? 0) / 0.95) < 0.01, `${index}: ${width}`),
  );
  const heights = bars.map(([, height = 0]) => height);
  assert.ok(Math.max(...heights) / Math.min(...heights) < 1.2, heights.join());
});

test('the curve has the users in the order of their gain, each as wide as the share', () => {
  const answer = answerOf(summaryOf());
  const svg = audienceCurve(answer);
  const steps = [...svg.matchAll(/class="ac-level ac-good" x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)"/g)].map(
    ([, from, to, height]) => [Number(from), Number(height), Number(to)],
  );
  assert.equal(steps.length, 3);
  const order = answer.segments.toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0));
  const whole = 720 - 76;
  steps.forEach(([from = 0, , to = 0], index) =>
    assert.ok(Math.abs((to - from) / whole - (order[index]?.share ?? 0) / 0.95) < 0.001, `${index}`),
  );
  // Gains are negative differences of times, and lie at the bottom.
  const heights = steps.map(([, height = 0]) => height);
  assert.deepEqual(
    heights,
    heights.toSorted((a, b) => b - a),
  );
  assert.equal([...svg.matchAll(/class="ac-limit"/g)].length, 2);
  const none = answer.segments.map((segment) => ({ ...segment, difference: null }));
  assert.equal(audienceCurve({ ...answer, segments: none }), '');
});

test('page, comment and terminal have every segment, every quantile, and who is left out', () => {
  const summary = summaryOf();
  const page = String(audience(reportContext(summary)));
  const comment = renderMarkdown(summary);
  const terminal = renderTerminalSummary(summary, { columns: 120, colour: false });
  for (const text of [page, comment, terminal]) {
    assert.match(text, /Cable/);
    assert.match(text, /Segment 3/);
    assert.match(text, /p75/);
    assert.match(text, /too few loads/);
    assert.match(text.replaceAll('\n', ' '), /5(?:\.0)? % of the audience is left out: without a rate/);
  }
  assert.deepEqual(
    shownIn(page).flatMap((text) => screenFaultsIn(text)),
    [],
  );
  assert.match(comment, /^### For your users: /);
});

test('the terminal keeps to its width, and a run without an audience has none of it', () => {
  const summary = summaryOf();
  for (const columns of [40, 60, 80])
    for (const line of renderTerminalSummary(summary, { columns, colour: false }).split('\n'))
      assert.ok([...line].length <= columns, `${columns}: ${line}`);
  const without = { ...summary, audience: undefined };
  assert.equal(String(audience(reportContext(without))), '');
  assert.equal(renderAudienceCsv(without), undefined);
});

test('names of segments are shown and not obeyed', () => {
  const summary = summaryOf('<script>alert(1)</script> =cmd @all');
  assert.doesNotMatch(String(audience(reportContext(summary))), /<script>/);
  assert.doesNotMatch(renderMarkdown(summary), /<script>|@all/);
});

test('a row of CSV for all and a segment of each metric, with every column explained beside the code', () => {
  const summary = summaryOf();
  const [head = '', ...rows] = (renderAudienceCsv(summary) ?? '').trimEnd().split('\r\n');
  const ofLoad = rows.filter((row) => row.startsWith('page,pltMs,'));
  assert.deepEqual([ofLoad.length, rows.length], [4, 8]);
  assert.match(rows[0] ?? '', /^page,pltMs,ms,h2,h3,audience,,0\.95\d*,8,0\.\d+,.*,0\.95,$/);
  assert.match(rows[1] ?? '', /^page,pltMs,ms,h2,h3,audience-1,"Cable, 20 ms at 50 Mbit\/s",0\.6,8,0\.79/);
  const explained = readFileSync(join(projectDir, 'reports/csv/COLUMNS.md'), 'utf8');
  const missing = head.split(',').filter((name) => !explained.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test('page and comment say of a metric without a mean of ratios that there is no single answer', () => {
  const users = audienceFixture(shares);
  const { plan, records } = generateRun({
    workloads: [{ id: 'film', kind: 'video' }],
    networks: users.conditions.map(({ network }) => network),
    plan: { audience: users, primary: { video: 'qoeVmaf' } },
  });
  const summary = summarise(plan, records, null, []);
  for (const text of [String(audience(reportContext(summary))), renderMarkdown(summary)])
    assert.match(text, /No single answer for all users/);
});
