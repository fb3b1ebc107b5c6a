import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderMarkdown } from '../../../../reports/markdown/render-markdown.ts';
import { renderTerminalSummary } from '../../../../reports/terminal/render-terminal-summary.ts';
import type { Answer } from '../../../../src/core/model/answer.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const open: Answer = {
  kind: 'page',
  network: '4g',
  server: 'caddy',
  baselineArm: 'h2',
  candidateArm: 'h3',
  shaped: true,
  sentence: 'Load time is not decided.',
  sureness: 'open',
  action: 'measure-more',
  advice: 'More may decide.',
  minutes: [90, 200],
  command: 'h2h3 run web',
  asides: [],
  comparisons: [],
};

describe('the summary in the terminal', () => {
  test('fits its width, wide or narrow', () => {
    for (const columns of [40, 60, 80, 120, 200]) {
      const text = renderTerminalSummary(summaryFixture(), { columns, colour: false });
      for (const line of text.split('\n')) assert.ok([...line].length <= columns, `${columns}: ${line}`);
      assert.match(text, /125 of 128 trials valid/);
    }
  });

  test('a next command that costs time says how much before it', () => {
    const summary = summaryFixture();
    const text = renderTerminalSummary({ ...summary, answers: [open] }, { columns: 80, colour: false });
    assert.match(text, /Next \(1\.5 h to 3\.3 h\): More may decide\.\n {2}npx h2h3 run web\n/);
  });

  test('the run that measures the share of first flights is named once, with its time', () => {
    const fixture = summaryFixture();
    const command = 'h2h3 run web --arm h2 --arm h3 --arm h2+initialwindow=32';
    const unlikeFirstFlights = [{ sentence: 'They begin unlike', command, minutes: 6 }];
    const told =
      /To measure how much of the change comes from the servers’ first flights \(about 6 min on this machine\):/;
    const count = (text: string): number => text.split('initialwindow=32').length - 1;
    const options = { columns: 120, colour: false };
    const beside = { ...fixture, answers: [], unlikeFirstFlights };
    for (const text of [renderTerminalSummary(beside, options), renderMarkdown(beside)]) {
      assert.match(text.replaceAll('\\', ''), told);
      assert.equal(count(text), 1);
    }
    const advised = { ...beside, answers: [{ ...open, command }] };
    for (const text of [renderTerminalSummary(advised, options), renderMarkdown(advised)]) {
      assert.doesNotMatch(text, told);
      assert.equal(count(text), 1);
    }
  });

  test('however narrow it is, rows of several networks can be told apart', () => {
    const summary = summaryFixture();
    const [first] = summary.comparisons.filter(({ primary }) => primary);
    assert.ok(first);
    const networks = ['lossy-path-0pct', 'lossy-path-1pct'];
    const comparisons = networks.map((network) => ({ ...first, network }));
    for (const columns of [60, 80, 200]) {
      const text = renderTerminalSummary({ ...summary, comparisons }, { columns, colour: false });
      for (const network of networks) assert.match(text.split('Change of')[1] ?? '', new RegExp(network));
    }
  });

  test('rows of several servers can be told apart, here and in a pull request', () => {
    const summary = summaryFixture();
    const [first] = summary.comparisons.filter(({ primary }) => primary);
    assert.ok(first);
    const servers = ['server-one', 'server-two'];
    const comparisons = servers.map((server) => ({ ...first, server }));
    const told = { ...summary, comparisons };
    for (const text of [
      renderTerminalSummary(told, { columns: 80, colour: false }).split('Change of')[1] ?? '',
      renderMarkdown(told).split('| Workload')[1] ?? '',
    ])
      for (const server of servers) assert.ok(text.includes(server), text);
  });

  test('has colour only when asked and the same words either way', () => {
    const plain = renderTerminalSummary(summaryFixture(), { columns: 100, colour: false });
    const coloured = renderTerminalSummary(summaryFixture(), { columns: 100, colour: true });
    assert.ok(!plain.includes('\u001b'));
    assert.equal(coloured.replaceAll(/\u001b\[[\d;]*m/g, ''), plain);
  });

  test('foreign text cannot act on the terminal', () => {
    const summary = summaryFixture();
    const text = renderTerminalSummary(
      {
        ...summary,
        warnings: ['\u001b]0;title\u0007\u001b[2Jgone\nnext'],
        firstScreen: { ...summary.firstScreen, headline: '\u009b31mred' },
      },
      { columns: 80, colour: false },
    );
    assert.doesNotMatch(text, /[\u001b\u009b\u0007]/);
  });

  test('groups reasons of lost trials and says how many warnings it leaves out', () => {
    const summary = summaryFixture({ troubles: 30 });
    const warnings = Array.from({ length: 50 }, (_, i) => `warning ${i}`);
    const text = renderTerminalSummary({ ...summary, warnings }, { columns: 100, colour: false });
    assert.match(text, /10 × failed: deadline/);
    assert.match(text, /and 49 more warnings in the report/);
  });

  test('says why there is nothing to compare', () => {
    const summary = { ...summaryFixture(), comparisons: [], headline: [] };
    const trials = { ok: 0, invalid: 3, failed: 0, unsupported: 0, notRun: 0 };
    assert.match(
      renderTerminalSummary({ ...summary, trials }, { columns: 80, colour: false }),
      /No trial was valid/,
    );
  });
});
