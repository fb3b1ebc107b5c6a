import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLineProgress } from '../../../../src/app/preflight/one-line-progress.ts';

test('works beside each other are one line of progress: the step that each is at, until it ends', async () => {
  const said: string[] = [];
  const work = oneLineProgress(
    ({ title, detail }) => void said.push(detail === undefined ? title : `${title} (${detail})`),
  );
  const begun = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  const first = work(async (progress) => {
    progress({ title: 'Fetching Caddy' });
    await begun.promise;
    return 1;
  });
  const second = work(async (progress) => {
    progress({ title: 'Unpacking Chromium', fraction: 0.409 });
    begun.resolve(undefined);
    await ended.promise;
    progress({ title: 'Starting Chromium' });
    return 2;
  });
  assert.equal(await first, 1);
  ended.resolve(undefined);
  assert.equal(await second, 2);
  assert.deepEqual(said, [
    'Fetching Caddy',
    'Fetching Caddy; Unpacking Chromium (40 %)',
    'Starting Chromium',
  ]);
});

test('a work that fails is out of the line, and its error is its own', async () => {
  const said: string[] = [];
  const work = oneLineProgress(({ title }) => void said.push(title));
  await assert.rejects(
    work((progress) => {
      progress({ title: 'Building' });
      return Promise.reject(new Error('no compiler'));
    }),
    /no compiler/,
  );
  await work((progress) => Promise.resolve(progress({ title: 'Fetching' })));
  assert.deepEqual(said, ['Building', 'Fetching']);
});
