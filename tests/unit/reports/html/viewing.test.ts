import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '../../../../reports/markdown/render-markdown.ts';
import { renderTerminalSummary } from '../../../../reports/terminal/render-terminal-summary.ts';
import { viewing } from '../../../../reports/html/sections/viewing.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';

const film = [{ id: 'film', kind: 'video' }] as const;

function sectionOf(options: GeneratedRunOptions): string {
  const { plan, records } = generateRun({ workloads: film, blocks: 6, networks: ['4g'], ...options });
  const summary = summarise(plan, records, environmentFixture(['chromium'], ['4g', 'dsl']), []);
  return String(viewing(reportContext(summary))).replaceAll('\u00a0', ' ');
}

const played =
  (own: (record: TrialRecord) => Record<string, number>) =>
  (record: TrialRecord): TrialRecord => {
    const metrics: TrialMetrics = { ...record.metrics };
    const usual = { meanVmaf: 84, timeWeightedBitrateKbps: 4200, stallCount: 0, stallTotalMs: 0 };
    Object.assign(metrics, usual, own(record));
    return { ...record, metrics };
  };

test('bitrate, stalls, start-up and quality of both sides stand in one table', () => {
  const section = sectionOf({
    alter: played(({ arm, blockIndex }) =>
      arm === 'h3' && blockIndex < 2 ? { stallCount: 1, stallTotalMs: 2000 } : {},
    ),
  });
  for (const column of ['Bitrate', 'Stalls', 'Start-up', 'VMAF'])
    assert.ok(section.includes(`<th scope="col">${column}</th>`), column);
  assert.match(section, /HTTP\/2<\/th>[^]*4\.2 Mbit\/s[^]*none<br><small>in 6 min/);
  assert.match(
    section,
    /HTTP\/3<\/th>[^]*2<br><small>20 an hour, 4 s in all \(1\.1.% of the time\), in 2 of 6 sessions/,
  );
  assert.doesNotMatch(section, /<th scope="col">Network<\/th>/);
});

test('terminal and comments have the same in a line an arm', () => {
  const { plan, records } = generateRun({
    workloads: film,
    blocks: 6,
    networks: ['4g'],
    alter: played(({ arm }) => (arm === 'h3' ? { stallCount: 1, stallTotalMs: 2000 } : {})),
  });
  const summary = summarise(plan, records, environmentFixture(['chromium'], ['4g']), []);
  for (const text of [
    renderTerminalSummary(summary, { columns: 200, colour: false }),
    renderMarkdown(summary),
  ]) {
    assert.match(text, /HTTP\/2: 4\.2 Mbit\/s, no stall in 6 min, starts after 0\.4\d* s, VMAF 84/);
    assert.match(text, /HTTP\/3: 4\.2 Mbit\/s, 6 stalls in 6 min \(12 s\), /);
  }
  assert.doesNotMatch(renderMarkdown(summarise(plan, [], null, [])), /viewers got/);
});

test('a run of several rules and networks names them, and lost sessions lead to their reasons', () => {
  const rules = ['bba', 'bola'].map((rule) => ({ id: `video-x-2s-${rule}`, kind: 'video' }) as const);
  const section = sectionOf({
    workloads: rules,
    networks: ['4g', 'dsl'],
    alter: (record) =>
      record.arm === 'h3' && record.blockIndex === 0
        ? { ...record, status: 'failed', reason: 'the page reported an error: decoder gone' }
        : played(() => ({}))(record),
  });
  assert.match(section, /<th scope="col">Film and rule<\/th>[^]*<th scope="col">Network<\/th>/);
  assert.equal(section.match(/1 lost, <a href="#trials">why/g)?.length, 4);
});

test('whether players and logs agree is said of recorded sessions; a run without video has no such part', () => {
  const told = (contradicted: number): string =>
    sectionOf({
      recordedBlocks: 'all',
      alter: played(({ instrumentation }): Record<string, number> =>
        instrumentation === 'instrumented' ? { cmcdRequests: 31, cmcdContradicted: contradicted } : {},
      ),
    });
  assert.match(told(0), /\(CMCD\) agrees with both logs in 186 requests of 6 recorded sessions/);
  assert.match(told(2), /\(CMCD\) disagrees with a log in 12 of 186 requests/);
  assert.equal(sectionOf({ workloads: [{ id: 'page', kind: 'page' }] }), '');
});
