import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A port that nothing listens on: whatever goes through it fails at once. */
const nowhere = 'http://127.0.0.1:9';

test('without any server the run ends before its first trial, with exit 3 and the command that fixes it', async (t) => {
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const bare = {
    PATH: join(folder, 'no-programs'),
    H2H3_CACHE: join(folder, 'cache'),
    HTTPS_PROXY: nowhere,
    https_proxy: nowhere,
    NO_PROXY: '',
    no_proxy: '',
  };
  const { code, stderr } = await runCli(['run', 'download', '--client', 'embedded', '--out', out], bare);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /There is no Caddy .* none could be had/);
  assert.match(stderr, /next: Install Caddy/);
  assert.equal(existsSync(out), false, 'nothing was begun');
});
