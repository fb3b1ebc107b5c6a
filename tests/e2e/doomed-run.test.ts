import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { openToolCache } from '../../src/system/tool-cache.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a run both of whose warm-ups fail ends before its first trial and leaves nothing', async (t) => {
  const folder = tempFolder(t);
  const store = await openCertificateStore({ cache: openToolCache(join(folder, 'cache')) });
  const { certificateFile, keyFile } = await store.filesFor('localhost');
  const server = createSecureServer({
    cert: readFileSync(certificateFile),
    key: readFileSync(keyFile),
    allowHTTP1: true,
  });
  // The first to ask is answered, and every browser is hung up on.
  server.on('request', (request, response) => {
    if (request.method === 'HEAD') response.writeHead(200).end();
    else request.socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const out = join(folder, 'run');
  const { code, stderr } = await runCli([
    'run',
    '--url',
    `https://localhost:${port}/`,
    '--insecure',
    '--client',
    'embedded',
    '--arms',
    'h2,h2+prefers=color-scheme:dark',
    '--repetitions',
    '2',
    '--exploratory',
    '--out',
    out,
  ]);
  assert.equal(code, 4, stderr);
  assert.match(stderr, /every discarded warm-up failed, so every trial would: .*net::ERR_/);
  assert.doesNotMatch(stderr, /\[1\/4\]/, 'no trial was run');
  assert.equal(existsSync(out), false);
});
