import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { test, type TestContext } from 'node:test';
import { openCertificateStore } from '../../../../harness/tools/certificates.ts';
import { visitRemote } from '../../../../sites/pages/visit-remote.ts';
import { urlWorkload } from '../../../../sites/index.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const { signal } = new AbortController();

async function startServer(t: TestContext) {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const { certificateFile, keyFile } = await store.filesFor('site.test');
  const server = https.createServer(
    { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
    (_request, response) => void response.writeHead(200, { server: 'mine', 'alt-svc': 'h3=":1"' }).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = new URL(`https://site.test:${port}/shop?x=1`);
  return { url, store, certificateFile, connectTo: [`site.test:${port}:127.0.0.1:${port}`], port };
}

test('a certificate that nobody vouches for is refused in one sentence, with the ways out', async (t) => {
  const { url, connectTo } = await startServer(t);
  await assert.rejects(visitRemote(url, { connectTo }, signal), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
    assert.match(error.message, /^site\.test:\d+ shows a certificate that is not trusted: \S+$/);
    assert.match(error.next ?? '', /--ca FILE.*--insecure/);
    return true;
  });
});

test('a certificate for another name is told by its names, also where its authority is trusted', async (t) => {
  const { port, certificateFile } = await startServer(t);
  const other = new URL(`https://other.test:${port}/`);
  const connectTo = [`other.test:${port}:127.0.0.1:${port}`];
  await assert.rejects(visitRemote(other, { connectTo, ca: certificateFile }, signal), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
    assert.match(error.message, /^other\.test:\d+ shows a certificate for other names: .*site\.test/);
    assert.match(error.next ?? '', /--connect-to.*--insecure/);
    assert.doesNotMatch(error.next ?? '--ca', /--ca/);
    return true;
  });
});

test('a port that speaks no TLS is told so, with no word of OpenSSL', async (t) => {
  const server = http.createServer((_request, response) => void response.end('plain'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await assert.rejects(visitRemote(new URL(`https://127.0.0.1:${port}/`), {}, signal), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
    assert.equal(error.message, `127.0.0.1:${port} does not answer with TLS`);
    assert.match(error.next ?? '', /port of https/);
    return true;
  });
});

test('an address without https:// is told with it', () => {
  for (const [given, next] of [
    ['localhost:8443', /^Did you mean https:\/\/localhost:8443\?$/],
    ['shop.example', /^Did you mean https:\/\/shop\.example\?$/],
    ['http://shop.example/', /over TLS only: give an https address/],
  ] as const)
    assert.throws(
      () => urlWorkload(given),
      (error) => error instanceof H2h3Error && next.test(error.next ?? ''),
      given,
    );
});

test('what is accepted on purpose is one key, and who answered is known', async (t) => {
  const { url, connectTo, store, port } = await startServer(t);
  const { remote, acceptedKeys } = await visitRemote(url, { connectTo, insecure: true }, signal);
  assert.deepEqual(acceptedKeys, [store.spkiHash]);
  assert.equal(remote.address, `127.0.0.1:${port}`);
  assert.deepEqual([remote.server, remote.altSvc], ['mine', 'h3=":1"']);
  assert.notEqual(remote.certificate.distrusted, null);
});

test('a live address becomes a page that nothing is served for, with HTTP/3 forced on its own host', async (t) => {
  const { url, connectTo, port } = await startServer(t);
  const workload = urlWorkload(url.href, { connectTo, insecure: true, block: ['/ads/'] });
  const context = { cacheDir: '', projectDir: '', port: 1, ffmpegPath: () => Promise.resolve('') };
  const prepared = await workload.prepare({ ...context, progress: () => undefined, signal });
  assert.deepEqual(prepared.entry, { url: url.href });
  assert.deepEqual(prepared.roots, []);
  assert.deepEqual(prepared.live?.h3Hosts, [`site.test:${port}`]);
  assert.deepEqual(prepared.live.block, ['/ads/']);
});

test('an address where nobody answers, and a file that holds no certificate, are said to be so', async (t) => {
  await assert.rejects(
    visitRemote(new URL('https://127.0.0.1:9/'), {}, signal),
    /127\.0\.0\.1:9 cannot be reached: connect ECONNREFUSED/,
  );
  const { url, connectTo } = await startServer(t);
  await assert.rejects(
    visitRemote(url, { connectTo, ca: '/nowhere.pem' }, signal),
    /\/nowhere\.pem cannot be read as the authority of --ca: it does not exist/,
  );
});
