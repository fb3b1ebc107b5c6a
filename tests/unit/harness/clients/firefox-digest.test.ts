import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { firefoxSha256 } from '../../../../harness/clients/browsers/providers/firefox-digest.ts';
import { puppeteerBrowsersFrom } from '../../../../harness/clients/browsers/providers/puppeteer-browsers.ts';
import { download } from '../../../../src/core/system/download.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A server that stands in for Mozilla's: one file a path, 404 for all else. */
async function standIn(t: TestContext, files: Readonly<Record<string, Buffer | string>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const content = files[decodeURIComponent(url)];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

test('each kind of release has its digest where Mozilla publishes it', async (t) => {
  const digest = sha256('nightly');
  const other = sha256('other');
  const base = await standIn(t, {
    '/releases/150.0/SHA256SUMS':
      `${other}  linux-x86_64/de/firefox-150.0.tar.xz\n` +
      `${digest}  linux-x86_64/en-US/firefox-150.0.tar.xz\n${digest}  mac/en-US/Firefox 150.0.dmg\n`,
    '/nightly/latest/firefox-155.0a1.en-US.linux-x86_64.checksums':
      `${'0'.repeat(128)} sha512 7 firefox-155.0a1.en-US.linux-x86_64.tar.xz\n` +
      `${digest} sha256 7 firefox-155.0a1.en-US.linux-x86_64.tar.xz\n`,
  });
  const context = { download, signal: new AbortController().signal };
  for (const archive of [
    '/releases/150.0/linux-x86_64/en-US/firefox-150.0.tar.xz',
    '/releases/150.0/mac/en-US/Firefox%20150.0.dmg',
    '/nightly/latest/firefox-155.0a1.en-US.linux-x86_64.tar.xz',
  ])
    assert.equal(await firefoxSha256(new URL(base + archive), context), digest, archive);
  const unlisted = new URL(`${base}/releases/150.0/win64/en-US/Firefox Setup 150.0.exe`);
  await assert.rejects(firefoxSha256(unlisted, context), { code: 'bad-input', message: /no digest/ });
});

/** A Firefox that is one file, packed as Mozilla packs it. */
function packedFirefox(folder: string): Buffer {
  mkdirSync(path.join(folder, 'firefox'), { recursive: true });
  writeFileSync(path.join(folder, 'firefox', 'firefox'), '#!/bin/sh\n', { mode: 0o755 });
  const file = path.join(folder, 'firefox.tar.xz');
  execFileSync('tar', ['-cJf', file, '-C', folder, 'firefox']);
  return readFileSync(file);
}

const skip =
  process.platform !== 'linux' || process.arch !== 'x64'
    ? 'made for the archive of Linux on x64'
    : spawnSync('xz', ['--version']).error !== undefined && 'there is no xz, which packs a Firefox';

test(
  'a Firefox is installed with its digest; another than the published one never is',
  { skip },
  async (t) => {
    const folder = tempFolder(t);
    const archive = packedFirefox(path.join(folder, 'made'));
    const name = 'linux-x86_64/en-US/firefox-150.0.tar.xz';
    const serve = (digest: string, content = archive): Promise<string> =>
      standIn(t, { '/150.0/SHA256SUMS': `${digest}  ${name}\n`, [`/150.0/${name}`]: content });
    const context = setupContextIn(folder, { download });
    const fill = async (base: string, target: string): Promise<string | null> => {
      const provider = puppeteerBrowsersFrom(base);
      const filled = await provider.download.fill(
        'firefox',
        'stable_150.0',
        path.join(folder, target),
        context,
      );
      assert.equal(filled.origin, `${base}/150.0/${name}`);
      assert.equal(readFileSync(path.join(folder, target, filled.executable), 'utf8'), '#!/bin/sh\n');
      return filled.integrity;
    };
    const expected = `sha256-${createHash('sha256').update(archive).digest('base64')}`;
    assert.equal(await fill(await serve(sha256(archive)), 'good'), expected);

    const changed = await serve(sha256(archive), Buffer.concat([archive, Buffer.from([0])]));
    await assert.rejects(fill(changed, 'bad'), {
      code: 'bad-input',
      message: /not the one that was published/,
    });
    const left = readdirSync(path.join(folder, 'bad'), { recursive: true }).map(String);
    assert.ok(
      !left.some((entry) => /firefox-150|firefox$/.test(path.basename(entry)) && entry.includes('/firefox/')),
    );
    await assert.rejects(fill(await standIn(t, {}), 'none'), {
      code: 'usage',
      message: /There is no firefox/,
    });
  },
);
