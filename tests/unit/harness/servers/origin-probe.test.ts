import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createSecureContext, createServer } from 'node:tls';
import { test } from 'node:test';
import { certificateNames, firstWithoutHttp3 } from '../../../../harness/servers/origin-probe.ts';
import { openCertificateStore } from '../../../../harness/tools/certificates.ts';
import { openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('each host of a server is asked for its own certificate, and for HTTP/3', async (t) => {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const contextOf = async (
    host: string,
    names: readonly string[],
  ): Promise<ReturnType<typeof createSecureContext>> => {
    const { certificateFile, keyFile } = await store.filesFor(host, { names });
    return createSecureContext({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) });
  };
  const contexts = new Map([
    ['a.test', await contextOf('a.test', ['a.test', 'b.test'])],
    ['b.test', await contextOf('b.test', ['b.test'])],
  ]);
  const server = createServer({ SNICallback: (name, done) => done(null, contexts.get(name)) });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const namesOf = (host: string): ReturnType<typeof certificateNames> =>
    certificateNames('127.0.0.1', address.port, host);
  assert.deepEqual(await namesOf('a.test'), ['a.test', 'b.test']);
  assert.deepEqual(await namesOf('b.test'), ['b.test']);
  assert.equal(await namesOf('c.test'), null, 'no certificate for it');
  const place = { address: '127.0.0.1', port: address.port };
  assert.equal(await firstWithoutHttp3(place, ['a.test', 'b.test']), 'a.test');
  assert.equal(await firstWithoutHttp3(place, []), null);
});
