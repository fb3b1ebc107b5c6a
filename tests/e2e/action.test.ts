import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { action, carriedOut, launcher } from '../support/action.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('the action judges two addresses under a private authority, behind a header that a secret of the job fills', async (t) => {
  const secret = 'pass-7d03ab1e';
  const site = await startGuardedSite(t, ({ headers }, response) => {
    response.writeHead(headers['x-pass'] === secret ? 200 : 403, { 'content-type': 'text/html' });
    response.end('<!doctype html><link rel=icon href="data:,"><title>shop</title><img src="/ads/x.gif">');
  });
  const folder = tempFolder(t);
  const connectTo = site.connectTo.filter((word) => word !== '--connect-to');
  writeFileSync(
    join(folder, 'plan.yaml'),
    `urls: [${site.url}]\nexploratory: true\nrepetitions: 2\nlive: { connectTo: ${JSON.stringify(connectTo)} }\n`,
  );
  const inputs = {
    baseline: `${site.url}?live`,
    candidate: `${site.url}?preview`,
    preset: 'plan.yaml',
    ca: site.certificateFile,
    headers: 'X-Pass: ${STAGING_PASS}\n',
    block: '/ads/\n',
  };
  const { result, outputs, code } = await carriedOut(folder, inputs, {
    H2H3: launcher,
    STAGING_PASS: secret,
  });
  const said = `${result.stdout}${result.stderr}`;
  assert.deepEqual([outputs['verdict'], code], ['undecided', 5], said);
  assert.ok(existsSync(join(outputs['report'] ?? '', 'gate.md')));
  assert.ok(!said.includes(secret), 'no log has it');
  assert.ok(site.seen.some(({ url, headers }) => url.includes('preview') && headers['x-pass'] === secret));
  assert.ok(!site.seen.some(({ url }) => url.startsWith('/ads/')));
});

test('a set-up that fails is no verdict, and neither is an input that would count for nothing', async (t) => {
  const addresses = { baseline: 'https://a.test/', candidate: 'https://b.test/' };
  const none = await carriedOut(tempFolder(t), addresses, { H2H3: 'false' });
  assert.deepEqual([none.outputs['verdict'], none.code], ['failed', 3]);
  assert.match(none.result.stdout, /^::error::h2h3 could not be installed from h2h3@latest\./m);
  const versions = { baseline: 'chromium@1', candidate: 'chromium@2', ca: 'own.pem' };
  const unused = await carriedOut(tempFolder(t), versions, { H2H3: 'true' });
  assert.deepEqual([unused.outputs['verdict'], unused.code], ['failed', 2]);
  assert.match(unused.result.stdout, /^::error::ca and insecure are for addresses/m);
  const builds = { 'baseline-command': 'npm start', 'candidate-command': 'npm start' };
  const together = await carriedOut(tempFolder(t), { ...builds, insecure: 'true' }, { H2H3: 'true' });
  assert.deepEqual([together.outputs['verdict'], together.code], ['failed', 2]);
  const pages = await carriedOut(tempFolder(t), { ...addresses, pages: '/cart' }, { H2H3: 'true' });
  assert.match(pages.result.stdout, /^::error::pages is for builds\./m);
});

test('a version, a tarball and a folder are given to npx so that it takes none for another', async (t) => {
  const folder = tempFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  mkdirSync(join(folder, 'vendor/h2h3'), { recursive: true });
  writeFileSync(join(folder, 'own.tgz'), '');
  const npx = join(bin, 'npx');
  writeFileSync(npx, '#!/bin/sh\necho "npx $*"\nexit 1\n');
  chmodSync(npx, 0o755);
  const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  for (const [version, taken] of [
    ['0.9.0', 'h2h3@0.9.0'],
    ['own.tgz', join(folder, 'own.tgz')],
    ['vendor/h2h3', join(folder, 'vendor/h2h3')],
    ['https://example.test/h2h3.tgz', 'https://example.test/h2h3.tgz'],
  ] as const) {
    const inputs = { baseline: 'https://a.test/', candidate: 'https://b.test/', version };
    const { result, outputs } = await carriedOut(folder, inputs, { PATH: path });
    assert.ok(result.stdout.includes(`npx --yes --package=${taken} -- h2h3 --version`), result.stdout);
    assert.equal(outputs['verdict'], 'failed', 'an exit code of npx is none of the gate');
  }
});

test('no input becomes an option, a setting of an arm or a command to the runner, and no page speaks to it', async (t) => {
  const addresses = { baseline: 'https://a.test/', candidate: 'https://b.test/' };
  const folder = tempFolder(t);
  const h2h3 = join(folder, 'h2h3');
  writeFileSync(h2h3, `#!/bin/sh\nprintf '<%s>' "$@"\nprintf '\\n::error::said by a page\\n'\n`);
  chmodSync(h2h3, 0o755);
  const hostile: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ candidate: 'https://b.test/+flags=--renderer-cmd-prefix=sh' }, /CANDIDATE has a \+/],
    [{ baseline: 'https://a.test/?q=1+client=/tmp/program' }, /BASELINE has a \+/],
    [{ candidate: 'https://b.test/\n::error::forged' }, /CANDIDATE has more than one line/],
    [{ baseline: '--trust-all' }, /BASELINE begins with a hyphen/],
    [{ preset: '--script=evil.ts' }, /PRESET begins with a hyphen/],
    [{ version: '1.0.0\r\nverdict=passed' }, /VERSION has more than one line/],
  ];
  for (const [inputs, reason] of hostile) {
    const { result, outputs, code } = await carriedOut(folder, { ...addresses, ...inputs }, { H2H3: h2h3 });
    assert.deepEqual([outputs['verdict'], code], ['failed', 2], result.stdout);
    assert.match(result.stdout, reason);
    assert.match(result.stdout, /^::error::The [^\n]*\n$/, 'nothing else is said, and nothing starts');
  }
  const quoting = { candidate: `https://b.test/$(touch x)"'\`id\``, headers: 'A: $(id)\r\n--trust-all' };
  const { result, outputs } = await carriedOut(folder, { ...addresses, ...quoting }, { H2H3: h2h3 });
  assert.ok(result.stdout.includes(`<--arm><h3+url=${quoting.candidate}>`), result.stdout);
  assert.ok(result.stdout.includes('<--header><A: $(id)><--header><--trust-all>'), result.stdout);
  assert.ok(!existsSync(join(folder, 'x')));
  const spoken = result.stdout.replaceAll(/^::stop-commands::(.+)\n[^]*?^::\1::$/gm, '');
  assert.doesNotMatch(spoken, /^::/m);
  const again = await carriedOut(folder, addresses, { H2H3: h2h3 });
  assert.notEqual(
    again.outputs['report'],
    outputs['report'],
    'each use of the action has a folder of its own',
  );
});

test('the name of the cache shows no address', () => {
  const keys = action.runs.steps.flatMap(({ with: { key } = {} }) => key ?? []);
  assert.deepEqual(keys, ['h2h3-${{ runner.os }}-${{ runner.arch }}-${{ steps.compared.outputs.digest }}']);
});
