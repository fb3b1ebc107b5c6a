import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { notificationOf } from '../../../../src/app/notify/notification-of-night.ts';
import { notify } from '../../../../src/app/notify/notify.ts';
import { readNotifyFile } from '../../../../src/app/notify/notify-file.ts';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import {
  messageFormats,
  notificationSchema,
  type Notification,
} from '../../../../src/core/model/notification.ts';
import { renderMessage } from '../../../../reports/notify/render-message.ts';
import { startBusyListener, type BusyListener } from '../../../support/busy-listener.ts';
import { generateGateRun } from '../../../support/gate-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const night: Notification = {
  schemaVersion: 1,
  run: 'nightly',
  outcome: 'worse',
  exitCode: 1,
  headline: ['The gate is not passed: 1 of 5 primary comparisons is worse.'],
  sentences: ['Page load time rose by 12 %.'],
  report: 'https://ci.example/run/report.html',
  picture: 'https://ci.example/run/card.svg',
};

const webhook = (t: TestContext, statuses: readonly number[]): Promise<BusyListener> =>
  startBusyListener(t, { statuses, secret: 'hook-secret-77' });

const context = (environment: Record<string, string>, said: string[], pauses: number[]) => ({
  environment,
  say: (line: string): void => void said.push(line),
  pause: (ms: number): Promise<void> => {
    pauses.push(ms);
    return Promise.resolve();
  },
});

test('a webhook is told once, again where it was too busy, and never after it has taken the message', async (t) => {
  const { url, sent } = await webhook(t, [503, 429, 200]);
  const said: string[] = [];
  const pauses: number[] = [];
  await notify(night, [{ webhook: '${HOOK}', format: 'slack' }], context({ HOOK: url }, said, pauses));
  assert.equal(sent.length, 3);
  assert.deepEqual(pauses, [2000, 8000]);
  assert.deepEqual(said, ['notify[0]: told']);
  const { text, blocks } = JSON.parse(sent[2]?.body ?? '') as {
    text: string;
    blocks: { image_url?: string }[];
  };
  assert.match(text, /^🟠 h2h3 nightly: The gate is not passed[^\n]*\nhttps:\/\/ci\.example[^\n]*$/);
  assert.equal(blocks[1]?.image_url, night.picture);
});

test('user name and password of a webhook, written in its file or referred to, open it and are not said', async (t) => {
  const { url, sent } = await webhook(t, [200, 200, 401]);
  const at = (login: string): string => url.replace('://', `://${login}@`);
  const said: string[] = [];
  const addresses = [at('me:written-77'), at('m%C3%A9:${WORD}'), at('me:100%-77')];
  const targets = addresses.map((address) => ({ webhook: address, format: 'json' as const }));
  await notify(night, targets, context({ WORD: 'p/a@ss-77' }, said, []));
  assert.deepEqual(
    sent.map(({ headers }) =>
      Buffer.from((headers.authorization ?? '').slice('Basic '.length), 'base64').toString(),
    ),
    ['me:written-77', 'mé:p/a@ss-77', 'me:100%-77'],
  );
  assert.deepEqual(said, [
    'notify[0]: told',
    'notify[1]: told',
    'notify[2]: not told: the webhook answered 401, tried 1 times',
  ]);
});

test('who refuses is not asked again, who cannot be reached is named by number, and no address is said', async (t) => {
  const { url, sent } = await webhook(t, [404]);
  const said: string[] = [];
  const pauses: number[] = [];
  const targets = [
    { webhook: url, format: 'json' as const },
    { webhook: 'http://127.0.0.1:9/hook-secret-78', format: 'json' as const },
    { webhook: '${NOT_SET}', format: 'json' as const },
    { webhook: url, format: 'json' as const, when: ['passed' as const] },
  ];
  await notify(night, targets, context({}, said, pauses));
  assert.equal(sent.length, 1);
  assert.match(said[0] ?? '', /^notify\[0\]: not told: the webhook answered 404, tried 1 times$/);
  assert.match(said[1] ?? '', /^notify\[1\]: not told: .*, tried 4 times$/);
  assert.equal(
    said[2],
    'notify[2]: not told: the variable NOT_SET is not set, and the webhook needs what it holds',
  );
  assert.equal(said.length, 3, 'who wants to hear of passed nights alone hears nothing');
  assert.ok(!said.join().includes('hook-secret'), said.join());
});

test('a command gets the notification on its standard input, and its failure is said', async (t) => {
  const file = join(tempFolder(t), 'told.json');
  const said: string[] = [];
  const targets = [{ command: ['sh', '-c', 'cat > "$0"', file] }, { command: ['sh', '-c', 'exit 7'] }];
  await notify(night, targets, context({}, said, []));
  assert.deepEqual(notificationSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), night);
  assert.deepEqual(said, ['notify[0]: told', 'notify[1]: not told: sh ended with exit code 7']);
});

test('every form is JSON below what chat tools take, however much there is to say', () => {
  const long = { ...night, headline: Array.from({ length: 50 }, () => 'x'.repeat(500)) };
  for (const format of messageFormats.filter((one) => one !== 'json')) {
    const text = renderMessage(long, format);
    assert.doesNotThrow(() => JSON.parse(text), format);
    assert.ok(text.length < 6000 && text.includes('h2h3 nightly'), format);
  }
  const local = renderMessage({ ...night, picture: 'results/card.svg' }, 'slack');
  assert.ok(!local.includes('image'), 'a path is no picture to a chat tool');
});

test('a chat that reads markup gets the words of others without any', () => {
  const hostile = { ...night, headline: ['Page <!channel> @here [load](https://evil.example) time rose.'] };
  for (const format of ['slack', 'mattermost'] as const) {
    const { text } = JSON.parse(renderMessage(hostile, format)) as { text: string };
    assert.ok(!/<!|@here|\]\(|https:\/\/evil/.test(text), text);
    assert.match(text, /\nhttps:\/\/ci\.example/);
  }
});

test('a file of targets is read before the night, and what is wrong in it is named without the address', (t) => {
  const file = join(tempFolder(t), 'notify.yaml');
  writeFileSync(file, 'notify:\n  - webhook: ${HOOK}\n    format: teams\n    when: [worse]\n');
  assert.deepEqual(readNotifyFile(file).notify, [{ webhook: '${HOOK}', format: 'teams', when: ['worse'] }]);
  writeFileSync(file, 'notify:\n  - webhook: https://chat.example/secret-9\n    format: irc\n');
  assert.throws(
    () => readNotifyFile(file),
    ({ message }: Error) => message.includes('notify.0') && !message.includes('secret-9'),
  );
});

test('a night’s notification holds the gate’s words, and addresses where the folder is published', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h2': 1.2, 'new:h3': 1.2 } });
  const gate = judgeGate(plan, records);
  const place = { folder: 'results/n1', reportPath: 'results/n1/report.html', resultsDir: 'results' };
  const told = notificationOf(gate, 1, {
    ...place,
    told: { publishedAt: 'https://ci.example/h2h3', notify: [{ command: ['true'] }] },
  });
  assert.equal(told.outcome, 'worse');
  assert.equal(told.report, 'https://ci.example/h2h3/n1/report.html');
  assert.equal(told.picture, 'https://ci.example/h2h3/n1/card.svg');
  assert.equal(told.sentences.length, gate.comparisons.length);
  assert.equal(notificationOf(gate, 1, { ...place, told: null }).report, 'results/n1/report.html');
});
