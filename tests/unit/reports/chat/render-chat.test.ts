import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderChat } from '../../../../reports/chat/render-chat.ts';
import { chatCode, chatText } from '../../../../reports/format/chat-text.ts';
import { topSentence } from '../../../../reports/format/top-sentence.ts';
import { summarise } from '../../../../src/analyse/summarise.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

interface Message {
  readonly text: string;
  readonly attachments: readonly Readonly<Record<string, unknown>>[];
}

function messageOf(...args: Parameters<typeof renderChat>): Message {
  return JSON.parse(renderChat(...args)) as Message;
}

test('a chat gets the sentence of the report, what to do with its command, the picture and a link', () => {
  const { plan, records } = generateRun({
    noise: 0.15,
    seed: 4,
    networks: ['4g'],
    plan: { command: 'h2h3 run web' },
  });
  const summary = summarise(plan, records, environmentFixture(['chromium'], ['4g']), []);
  const { text, attachments } = messageOf(summary, { folder: 'https://ci.example/17/', picture: 'card.png' });
  assert.equal(text, topSentence(summary));
  const [attachment] = attachments;
  assert.equal(attachment?.['title_link'], 'https://ci.example/17/report.html');
  assert.equal(attachment?.['image_url'], 'https://ci.example/17/card.png');
  assert.match(String(attachment?.['text']), /`npx h2h3 run web --repetitions \d+[^`]*` \(.* min\)/);
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
  assert.equal(message.attachments[0]?.['fallback'], message.text);
  assert.deepEqual(Object.keys(message.attachments[0] ?? {}), ['fallback', 'title', 'text', 'mrkdwn_in']);
});

test('the title, which names the arms, calls nobody and leads nowhere, and versions and commands stay as they are', () => {
  const summary = summaryFixture();
  const label = 'chromium@148:h3+url=https://evil.example/@channel @here <!here>';
  const named = (arm: string) => ({ ...summary.comparisons[0]?.candidate, arm });
  const [comparison] = summary.comparisons;
  assert.ok(comparison !== undefined);
  const comparisons = [{ ...comparison, candidate: named(label), baseline: named('h2') }];
  const text = JSON.stringify(messageOf({ ...summary, comparisons } as typeof summary));
  for (const live of ['@channel', '@here', '<!here>', '://evil'])
    assert.ok(!text.includes(live), `${live}: ${text}`);
  assert.equal(chatText('chromium@148 against chromium@153'), 'chromium@148 against chromium@153');
  assert.equal(chatCode('npx h2h3 run --client chromium@148'), '`npx h2h3 run --client chromium@148`');
});
