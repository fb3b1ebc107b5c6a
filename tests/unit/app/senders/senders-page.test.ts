import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keptSendersFile, readSenders, writeSendersPage } from '../../../../src/app/senders/senders-page.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('of the kept measurement the page, its data and a CSV are written again', async (t) => {
  const folder = join(tempFolder(t), 'page');
  const kept = readSenders(keptSendersFile());
  const { pagePath } = await writeSendersPage(folder, kept);
  assert.deepEqual(readSenders(join(folder, 'senders.json')), kept);
  const html = readFileSync(pagePath, 'utf8');
  const figures = new Set(
    [...html.matchAll(/<figure class="link-course-figure" id="([^"]+)"/g)].map(([, id]) => id),
  );
  const leads = [...html.matchAll(/href="#(course-[^"]+)"/g)].map(([, id]) => id);
  assert.ok(leads.length > kept.senders.length);
  for (const lead of leads) assert.ok(figures.has(lead), lead);
  const lines = readFileSync(join(folder, 'senders.csv'), 'utf8').trim().split('\n');
  assert.equal(lines.length, 1 + kept.senders.flatMap(({ properties }) => properties).length);
});

test('a kept measurement decides: eight repeats, over both protocols', () => {
  const { repeats, senders } = readSenders(keptSendersFile());
  assert.ok(repeats >= 8);
  for (const [server, those] of Map.groupBy(senders, ({ server }) => server))
    assert.deepEqual(those.map(({ protocol }) => protocol).toSorted(), ['h2', 'h3'], server);
  const judged = senders.flatMap(({ properties }) =>
    properties.filter(({ verdict }) => verdict !== 'reference'),
  );
  const decided = judged.filter(({ verdict }) => verdict !== 'not-decided');
  assert.ok(decided.every(({ count, interval }) => count >= 8 && interval !== null));
  assert.ok(decided.length > judged.length / 2, `${decided.length} of ${judged.length}`);
});

test('a file that is no measurement of senders is refused with the next step', (t) => {
  const file = join(tempFolder(t), 'senders.json');
  writeFileSync(file, '{"schemaVersion":1,"senders":"none"}');
  assert.throws(() => readSenders(file), { code: 'bad-input', next: /senders\.json/ });
});
