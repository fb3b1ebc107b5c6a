import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JourneyPort } from '../../../../../harness/clients/browsers/journey-port.ts';
import { lookAtFailure, placesOfSecrets } from '../../../../../harness/clients/journey/look-at-failure.ts';

const secret = 'card-7d03ab1e';

/** A page that shows these texts, and what is covered of it. */
function pageWith(texts: readonly string[], isStubborn = false): { port: JourneyPort; covered: number[] } {
  const shown = [...texts];
  const covered: number[] = [];
  const port: JourneyPort = {
    protocol: 'cdp',
    send: () => undefined,
    onMessage: () => undefined,
    evaluate: (expression) => {
      const places = /coverTexts\((\[[\d,]*\])\)/.exec(expression)?.[1];
      if (places === undefined)
        return Promise.resolve(JSON.stringify({ url: `https://shop.test/?card=${secret}`, texts: shown }));
      for (const place of JSON.parse(places) as number[]) {
        covered.push(place);
        if (!isStubborn) shown[place] = '';
      }
      assert.ok(!expression.includes(secret), 'no secret goes to the page');
      return Promise.resolve(true);
    },
    screenshot: () => Promise.resolve(Buffer.from('picture')),
    console: () => Promise.resolve([{ level: 'log', text: `paid with ${secret}` }]),
    misdeed: new Promise(() => undefined),
    gone: new Promise(() => undefined),
  };
  return { port, covered };
}

test('secrets are found in what a page shows where they are parted, escaped or in other letters', () => {
  const texts = ['pay with ', 'card-', '7d03', 'ab1e', ' now', 'CARD-7D03AB1E', 'other'];
  assert.deepEqual(placesOfSecrets(texts, [secret]), [1, 2, 3, 5]);
  assert.deepEqual(placesOfSecrets(['', 'text'], [secret]), []);
});

test('a failed page is pictured with its secrets covered, and address and console are cleaned', async () => {
  const { port, covered } = pageWith(['text', `paid with ${secret}`]);
  const look = await lookAtFailure(port, [secret]);
  assert.deepEqual(covered, [1]);
  assert.ok(Buffer.isBuffer(look.screenshot));
  assert.ok(!JSON.stringify([look.url, look.console]).includes(secret));
  assert.match(look.url ?? '', /^https:\/\/shop\.test\//);
});

test('a page that writes a secret again is not pictured, and one that does not answer says so', async () => {
  const stubborn = await lookAtFailure(pageWith([secret], true).port, [secret]);
  assert.deepEqual(stubborn.screenshot, { why: 'the page wrote a secret again that was covered' });
  const { port } = pageWith(['text']);
  const gone = { ...port, evaluate: () => Promise.reject(new Error('the page is gone')) };
  const look = await lookAtFailure(gone, []);
  assert.deepEqual([look.url, look.screenshot], [null, { why: 'the page is gone' }]);
});
