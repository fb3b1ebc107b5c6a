import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Screencast } from '../../../../../../harness/clients/browsers/chromium/screencast.ts';
import { ScriptedSession } from '../../../../../support/cdp-session.ts';

test('frames count from the time origin; of those before it only the last is kept, at 0', async () => {
  const page = new ScriptedSession('page');
  const screencast = new Screencast(page);
  const started = screencast.start();
  const frame = (sessionId: number, epochMs: number, text: string): void =>
    page.receive('Page.screencastFrame', {
      sessionId,
      data: Buffer.from(text).toString('base64'),
      metadata: { timestamp: epochMs / 1000 },
    });
  frame(1, 900, 'loading');
  frame(2, 990, 'empty tab');
  frame(3, 1050, 'first paint');
  await started;
  const { frames, warnings } = screencast.frames(1000);
  assert.deepEqual(
    frames.map(({ jpeg, tMs }) => [Buffer.from(jpeg).toString(), Math.round(tMs)]),
    [
      ['empty tab', 0],
      ['first paint', 50],
    ],
  );
  assert.deepEqual(warnings, []);
});
