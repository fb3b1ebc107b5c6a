import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderGateJunit } from '../../../../reports/gate/render-gate-junit.ts';
import { renderGateMarkdown } from '../../../../reports/gate/render-gate-markdown.ts';
import { renderGateText } from '../../../../reports/gate/render-gate-text.ts';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateGateRun } from '../../../support/gate-run.ts';

const worseOverH3 = generateGateRun({ slowdown: { 'new:h3': 1.2 } });
const worse = judgeGate(worseOverH3.plan, worseOverH3.records);
const noisy = generateGateRun({ noise: 0.4 });
const undecided = judgeGate(noisy.plan, noisy.records);

test('the terminal says outcome, interim analyses, every comparison and whose fault it is, at any width', () => {
  for (const columns of [60, 200]) {
    const text = renderGateText(worse, { columns, colour: false }).replace(/\s+/g, ' ');
    assert.match(text, /Gate failed: pages load .* Of 2 primary comparisons: 1 is worse/);
    assert.match(text, /Judged after 12, 16 and 20 of at most 20 blocks\./);
    assert.match(text, /the regression is of HTTP\/3, not of the browser as a whole/);
  }
  assert.match(
    renderGateText(worse, { columns: 200, colour: false }),
    /verdict +what +who +change +interval/,
  );
  assert.match(renderGateText(worse, { columns: 80, colour: false }), /verdict +candidate +change +blocks$/m);
  const lines = renderGateText(worse, { columns: 60, colour: false }).split('\n');
  assert.ok(lines.every((line) => [...line].length <= 60));
});

test('JUnit fails what is worse, and skips or fails what is open', () => {
  const xml = renderGateJunit(worse, { strict: false });
  assert.match(xml, /tests="3" failures="1" errors="0" skipped="0"/);
  assert.equal(xml.match(/<failure /g)?.length, 1);
  const comparisons = undecided.comparisons.map((one) => ({ ...one, shownNotWorse: true }));
  const notWorse = renderGateJunit({ ...undecided, comparisons }, { strict: true });
  assert.match(notWorse, /failures="0" errors="0" skipped="0"/, 'what is shown not to be worse passes');
  assert.match(renderGateJunit(undecided, { strict: false }), /failures="0" errors="0" skipped="2"/);
  assert.match(renderGateJunit(undecided, { strict: true }), /failures="2" errors="0" skipped="0"/);
  assert.match(
    renderGateJunit({ ...worse, trialsFailed: true }, { strict: false }),
    /errors="1"[\s\S]*<error /,
  );
});

test('Markdown has one table row a comparison and stays a comment', () => {
  const text = renderGateMarkdown(worse);
  assert.equal(text.split('\n').filter((line) => line.startsWith('| ')).length, 4);
  assert.ok(text.length < 65_536);
  assert.ok(text.startsWith(`### 🟠 ${worse.firstScreen.headline}\n`), text.slice(0, 200));
});

test('words stand where ids were: in JUnit, Markdown and the terminal', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h3': 1.2 } });
  const workloads = [
    { id: 'page-a', kind: 'page' as const, title: 'Front page' },
    { id: 'page-b', kind: 'page' as const, title: 'Basket' },
  ];
  const environment = environmentFixture(['old', 'new'], ['host']);
  const gate = judgeGate({ ...plan, workloads, pooled: { page: false } }, records, { environment });
  assert.ok(gate.comparisons.length >= 4, 'each page by itself, over both protocols');
  const xml = renderGateJunit(gate, { strict: false });
  assert.match(
    xml,
    /classname="Web pages, emulated path host, Caddy 2․11․9" name="Front page: Page load time: /,
  );
  for (const text of [xml, renderGateMarkdown(gate), renderGateText(gate, { columns: 250, colour: false })]) {
    assert.match(text, /Basket/);
    assert.doesNotMatch(text, /page-[ab]|pltMs|lcpMs/);
  }
});
