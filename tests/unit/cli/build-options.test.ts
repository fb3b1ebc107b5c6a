import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOptionsOf } from '../../../src/cli/build-options.ts';

test('pages and what opens them go with two builds, and a page alone names none', () => {
  const commands = { baselineCommand: 'npm run main', candidateCommand: 'npm run branch' };
  assert.deepEqual(buildOptionsOf({ ...commands, page: ['/cart'], appHost: 'own' }), {
    commands,
    flags: { app: ['/cart'], appHost: 'own' },
  });
  assert.deepEqual(buildOptionsOf({}).flags, {}, 'what is not said overrides nothing');
  assert.throws(() => buildOptionsOf({ page: ['/cart'] }), /--page names a page of two builds/);
});
