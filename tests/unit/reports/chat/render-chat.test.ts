import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderChat } from '../../../../reports/chat/render-chat.ts';
import { chatText } from '../../../../reports/format/chat-text.ts';
import { topSentence } from '../../../../reports/format/top-sentence.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

interface Message {
  readonly text: string;
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
}

function messageOf(...args: Parameters<typeof renderChat>): Message {
  return JSON.parse(renderChat(...args)) as Message;
}

test('a chat gets the sentence of the report in one line, a link and the picture', () => {
  const { plan, records } = generateRun({
    noise: 0.15,
    seed: 4,
    networks: ['4g'],
    plan: { command: 'h2h3 run web' },
  });
  const summary = summarise(plan, records, environmentFixture(['chromium'], ['4g']), []);
  const message = messageOf(summary, { folder: 'https://ci.example/17/', picture: 'card.png' });
  const top = topSentence(summary);
  assert.deepEqual(message, {
    text: `${top}\nhttps://ci.example/17/report.html`,
    attachments: [{ fallback: top, image_url: 'https://ci.example/17/card.png' }],
  });
});

test('without an address there is neither link nor picture, and foreign text is no markup', () => {
  const hostile = 'a <!channel> & <https://evil.example|link> @channel [x](www.evil.example) `code`';
  const message = messageOf(
    {
      ...summaryFixture(),
      firstScreen: { headline: hostile, detail: '', chips: [], picture: [] },
      answers: [],
    },
    { picture: 'card.png' },
  );
  assert.equal(
    message.text,
    [
      'a &lt;!channel&gt; &amp; &lt;https:\u200b//evil.example|link&gt;',
      '@\u200bchannel',
      '[x]\u200b(www\u200b.evil.example)',
      '\u02cbcode\u02cb',
    ].join(' '),
  );
  assert.equal(message.attachments, undefined);
});

test('names of versions stay as they are', () => {
  assert.equal(chatText('chromium@148 against chromium@153'), 'chromium@148 against chromium@153');
});
