import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type TlsOptions } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { inspectHandshake, type InspectedHandshake } from '../../../../harness/servers/inspect-handshake.ts';
import { serverHelloIn } from '../../../../harness/servers/quic-initial.ts';
import { readServerHello } from '../../../../harness/servers/tls-hello.ts';
import { openCertificateStore } from '../../../../harness/tools/certificates.ts';
import { openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What is seen of a server of Node's own, which speaks no QUIC. */
async function lookAt(t: TestContext, options: TlsOptions): Promise<InspectedHandshake> {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const { certificateFile, keyFile } = await store.filesFor('a.test', { bytes: 9216 });
  const server = createServer({
    ...options,
    cert: readFileSync(certificateFile),
    key: readFileSync(keyFile),
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return inspectHandshake({ address: '127.0.0.1', port: address.port, name: 'a.test' });
}

for (const cipher of ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'])
  test(`a server’s group and the form of its certificates are seen under ${cipher}`, async (t) => {
    const look = await lookAt(t, { ciphers: cipher, ecdhCurve: 'X25519' });
    assert.deepEqual(look, { tcpKeyExchange: 'X25519', quicKeyExchange: null, compression: 'none' });
  });

test('a server that takes nothing but X25519MLKEM768 says so when it asks for another hello', async (t) => {
  const look = await lookAt(t, { ecdhCurve: 'X25519MLKEM768' });
  assert.deepEqual([look.tcpKeyExchange, look.compression], ['X25519MLKEM768', null]);
});

test('a server without TLS 1.3 shows nothing', async (t) => {
  const { tcpKeyExchange, compression } = await lookAt(t, { maxVersion: 'TLSv1.2' });
  assert.deepEqual([tcpKeyExchange, compression], [null, null]);
});

/** RFC 9001, appendices A.1 and A.3: an acknowledgement stands before the ServerHello. */
const serverSecret = '3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b';
const serverInitial =
  'cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a5816b6394100f37a1c69797554780bb3' +
  '8cc5a99f5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84' +
  '022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc42158407dd074ee';

test('the server’s hello is read out of its first packet over QUIC, and of nothing else', () => {
  const secret = Buffer.from(serverSecret, 'hex');
  const packet = Buffer.from(serverInitial, 'hex');
  const { group, cipherSuite } = readServerHello(serverHelloIn(packet, secret));
  assert.deepEqual([group, cipherSuite], ['X25519', 0x1301]);
  assert.equal(packet.toString('hex'), serverInitial, 'the datagram stays as it was');
  for (const other of [Buffer.alloc(0), Buffer.alloc(60), packet.subarray(0, 60), packet.subarray(1)])
    assert.throws(() => serverHelloIn(other, secret));
});
