import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { carriedOut, launcher } from '../support/action.ts';
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
