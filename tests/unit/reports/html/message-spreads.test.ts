import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageGroups } from '../../../../reports/html/message-spreads.ts';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import type { MessageSpread } from '../../../../src/core/model/message-spread.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const spread = (arm: string, more: Partial<MessageSpread> = {}): MessageSpread => ({
  workload: 'messages-game',
  client: 'chromium',
  network: 'cable',
  server: 'go',
  arm,
  trials: 8,
  sent: 100,
  lost: 0,
  behind: 7,
  quantilesMs: [50, 52, 110],
  blockIndex: 2,
  samples: [
    [0, 50, false],
    [10, null, false],
  ],
  ...more,
});

const websocket = spread('h2+transport=websocket');
const datagrams = spread('h3+transport=wt-datagrams', { lost: 4, behind: 0 });

test('the arms of a condition are drawn together, each in its own words', () => {
  const summary = { ...summaryFixture({}), messages: [websocket, datagrams] };
  const [group, ...others] = messageGroups(reportContext(summary));
  assert.equal(others.length, 0);
  assert.deepEqual(
    group?.arms.map(({ title, lost, block }) => [title, lost, block]),
    [
      ['HTTP/2 by WebSocket', 0, 'block 3'],
      ['HTTP/3 by WebTransport datagrams', 4, 'block 3'],
    ],
  );
});

test('conditions of several networks are groups of their own', () => {
  const far = { ...websocket, network: '4g' };
  const groups = messageGroups(
    reportContext({ ...summaryFixture({}), messages: [websocket, datagrams, far] }),
  );
  assert.deepEqual(
    groups.map(({ arms }) => arms.length),
    [2, 1],
  );
});

test('a report has a section of messages, with what was lost and what waited, and none without messages', async () => {
  const plain = summaryFixture({});
  assert.doesNotMatch(await renderHtmlReport(plain), /id="messages"/);
  const html = await renderHtmlReport({ ...plain, messages: [websocket, datagrams] });
  assert.match(html, /<section id="messages"/);
  assert.match(
    html.replace(/\s+/g, ' '),
    /HTTP\/3 by WebTransport datagrams<\/td>.*?<td class="num">4<\/td>/,
  );
});
