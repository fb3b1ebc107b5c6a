import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFlows } from '../../../../sites/record/read-flows.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const flow = {
  method: 'GET',
  scheme: 'https',
  host: 'a.test',
  port: 443,
  target: '/',
  fetchSite: 'same-origin',
  range: '',
  vary: {},
  requestType: '',
  requestBody: null,
  status: 200,
  failure: null,
  reason: '',
  headers: [],
  hints: [],
  body: null,
  pieces: [],
  startEpochMs: 5,
  answerEpochMs: 6,
  waitMs: 1,
};

test('a redirect of which the browser dropped the end is whole, and what else the page gave up is not', async (t) => {
  const folder = tempFolder(t);
  const aborted = { failure: 'aborted', reason: 'client reset' };
  const lines = [
    { ...flow, ...aborted, target: '/from', status: 302, headers: [['Location', '/to']] },
    { ...flow, ...aborted, target: '/unread' },
    { ...flow, ...aborted, target: '/never', status: 0 },
    { ...flow, ...aborted, target: '/unchanged', status: 304 },
  ];
  writeFileSync(join(folder, 'flows.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { flows } = await readFlows(folder);
  assert.deepEqual(
    flows.map(({ exchange: { entry } }) => [entry.path, entry.status, entry.failure]),
    [
      ['/from', 302, null],
      ['/unread', 200, 'aborted'],
      ['/never', 0, 'aborted'],
      ['/unchanged', 304, 'aborted'],
    ],
  );
});

test('the way to a server is what its fastest connection took, whichever an answer came over', async (t) => {
  const folder = tempFolder(t);
  const lines = [
    { ...flow, target: '/over-a-slow-one', waitMs: 8, connectMs: 20, server: '1.2.3.4 443' },
    { ...flow, target: '/over-a-fast-one', waitMs: 8, connectMs: 3, server: '1.2.3.4 443' },
    { ...flow, target: '/of-another', waitMs: 8, connectMs: 5, server: '5.6.7.8 443' },
    { ...flow, target: '/of-nobody', waitMs: 8 },
  ];
  writeFileSync(join(folder, 'flows.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { flows } = await readFlows(folder);
  assert.deepEqual(
    flows.map(({ exchange: { entry } }) => entry.waitMs),
    [5, 5, 3, 8],
  );
});
