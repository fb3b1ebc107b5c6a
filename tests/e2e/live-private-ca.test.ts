import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRecords, runCli, runCliHere } from '../support/cli.ts';
import { startGuardedSite, type Answer } from '../support/guarded-site.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The old address leads to another host. */
const moved: Answer = ({ headers, url }, response, third) => {
  if (headers.host?.startsWith('third.') !== true && url === '/old')
    return void response.writeHead(302, { location: `${third}/new` }).end();
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><link rel=icon href="data:,"><title>new</title><p>text');
};

test('a server under a private authority counts with its file, and without it is refused', async (t) => {
  const folder = tempFolder(t);
  const own = await privateAuthority(folder, ['localhost', 'third.localhost']);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  const other = await privateAuthority(elsewhere, ['localhost']);
  const site = await startGuardedSite(t, moved, { certificates: [own] });
  const usual = ['run', '--client', 'best', ...site.connectTo];
  const short = ['--repetitions', '1', '--exploratory', '--quick-start'];
  const out = join(folder, 'run');
  const refusals = [
    [[], '--ca FILE, or accept it as it is with --insecure'],
    [['--ca', other.rootFile], `--ca ${other.rootFile} holds another`],
  ] as const;
  for (const [flags, next] of refusals) {
    const refused = await runCliHere([...usual, '--url', site.url, ...short, ...flags, '--out', out]);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, /localhost:\d+ shows a certificate that is not trusted: /);
    assert.ok(refused.stderr.includes(next), refused.stderr);
    assert.equal(existsSync(out), false);
  }
  const old = ['--url', `${site.url}old`, '--ca', own.rootFile];
  const { code, stderr } = await runCli([...usual, ...old, ...short, '--out', out]);
  const records = readRecords(out);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records.map(({ reason }) => reason))}`);
  assert.deepEqual(
    records.map(({ arm, instrumentation, status }) => [arm, instrumentation, status]).toSorted(),
    [
      ['h2', 'instrumented', 'ok'],
      ['h2', 'uninstrumented', 'ok'],
      ['h3', 'instrumented', 'ok'],
      ['h3', 'uninstrumented', 'ok'],
    ],
  );
  for (const { warnings } of records)
    assert.match(warnings.join('\n'), /old led on to https:\/\/third\.localhost:\d+\/new/);
});
