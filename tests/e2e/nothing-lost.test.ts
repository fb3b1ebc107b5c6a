import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCliHere } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a run that cannot begin takes nothing of the user’s with it', async (t) => {
  const parent = tempFolder(t);
  const mine = join(parent, 'mine');
  mkdirSync(join(mine, 'trials', 'mine'), { recursive: true });
  const data = join(mine, 'trials', 'mine', 'data');
  writeFileSync(data, 'years of work');
  writeFileSync(join(mine, 'environment.json'), '{}');
  const taken = createServer().listen(0);
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const run = (out: string): ReturnType<typeof runCliHere> =>
    runCliHere([
      'run',
      'download',
      '--network',
      'loopback',
      '--workload',
      'download-1mb',
      '--out',
      out,
      '--port',
      String(port),
    ]);

  const refused = await run(mine);
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /is not empty and holds no run/);
  assert.equal(readFileSync(data, 'utf8'), 'years of work');
  assert.ok(existsSync(join(mine, 'environment.json')));

  // Here the port is what fails, after the folder was made.
  const failed = await run(join(parent, 'new'));
  assert.equal(failed.code, 2, failed.stderr);
  assert.match(failed.stderr, new RegExp(`port ${port} is in use`));
  assert.ok(!existsSync(join(parent, 'new')), 'what it made itself is gone');
});
