import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrate } from '../../../../src/app/calibrate/calibrate.ts';
import { contextThatSays } from '../../../support/app-context.ts';

test('what is asked of a browser is not measured here for browsers of another machine', async () => {
  const { context } = contextThatSays();
  await assert.rejects(calibrate({ recording: true, flags: { clientHost: 'lab@far' } }, context), {
    code: 'unsupported',
    message: '--recording measures browsers of this machine, and not those on lab@far (--client-host)',
  });
});
