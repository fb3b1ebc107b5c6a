import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { openToolCache } from '../../src/core/system/tool-cache.ts';
import { runCli, type CliResult } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A server of HTTP/2 for `localhost`; `answer` has every request. */
async function localServer(
  t: TestContext,
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<number> {
  const store = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const { certificateFile, keyFile } = await store.filesFor('localhost');
  const server = createSecureServer({
    cert: readFileSync(certificateFile),
    key: readFileSync(keyFile),
    allowHTTP1: true,
  });
  server.on('request', answer);
  t.after(() => void server.close());
  // Free for UDP, too, of which one test has it as well.
  const port = await chooseAnyPort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return port;
}

/** What a command that measures this server says, and the folder that it must not leave. */
async function runAgainst(
  t: TestContext,
  port: number,
  arms: string,
): Promise<CliResult & { readonly out: string }> {
  const out = join(tempFolder(t), 'run');
  const result = await runCli([
    'run',
    '--url',
    `https://localhost:${port}/`,
    '--insecure',
    '--client',
    'embedded',
    '--arms',
    arms,
    '--repetitions',
    '2',
    '--exploratory',
    '--out',
    out,
  ]);
  return { ...result, out };
}

test('a run both of whose warm-ups fail ends before its first trial and leaves nothing', async (t) => {
  // The first to ask is answered, and every browser is hung up on.
  const port = await localServer(t, (request, response) => {
    if (request.method === 'HEAD') response.writeHead(200).end();
    else request.socket.destroy();
  });
  const { code, stderr, out } = await runAgainst(t, port, 'h2,h2+prefers=color-scheme:dark');
  assert.equal(code, 4, stderr);
  assert.match(stderr, /every discarded warm-up failed, so every trial would: .*net::ERR_/);
  assert.doesNotMatch(stderr, /\[1\/4\]/, 'no trial was run');
  assert.equal(existsSync(out), false);
});

test('a server that announces HTTP/3 behind blocked UDP is not begun with: nothing could be compared', async (t) => {
  const altSvc: { value?: string } = {};
  const port = await localServer(t, (_request, response) =>
    response.writeHead(200, { 'alt-svc': altSvc.value }).end('<!doctype html>page'),
  );
  altSvc.value = `h3=":${port}"; ma=60`;
  // As behind a firewall: packets arrive nowhere, and nothing says so.
  const silent = createSocket('udp4').bind(port, '127.0.0.1');
  t.after(() => void silent.close());
  const { code, stderr, out } = await runAgainst(t, port, 'h2,h3');
  assert.equal(code, 3, stderr);
  assert.match(stderr, /nothing to compare: localhost:\d+ answers no HTTP\/3, which it announces/);
  assert.match(stderr, /Let UDP through to it\..*h2h3 record https:\/\/localhost:\d+\//);
  assert.doesNotMatch(stderr, /warm-up|\[1\/4\]/, 'no browser was started for it');
  assert.equal(existsSync(out), false);
});
