import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { commandDriver } from '../../harness/clients/commands/command-driver.ts';
import { knownClients } from '../../harness/clients/client-catalogue.ts';
import { curl } from '../../harness/clients/commands/curl.ts';
import { findKnownClient } from '../../harness/clients/find-client.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import type { ServerSoftware } from '../../harness/servers/server-software.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import { startOrigin } from '../support/origin-server.ts';

const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
const host = 'a.test';
const fieldBytes = 40_000;
/** Those that drop names of request headers with other characters than letters, digits and hyphens. */
const dropOddNames = ['caddy'];

interface App {
  readonly origin: string;
  /** Names and sizes of the headers of the last request. */
  readonly heard: () => ReadonlyMap<string, number>;
}

/** An app whose answer has as many bytes of headers as `/BYTES` says. */
async function startApp(t: TestContext): Promise<App> {
  let heard = new Map<string, number>();
  const server = createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
    heard = new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value).length]));
    const fields = Number(request.url?.slice(1)) / fieldBytes;
    for (let field = 0; field < fields; field += 1)
      response.setHeader(`x-long-${field}`, 'a'.repeat(fieldBytes));
    response.setHeader('x_answer', '1').setHeader('x.answer', '2').end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, heard: () => heard };
}

async function startBefore(t: TestContext, app: App, software: ServerSoftware): Promise<RunningServer> {
  const port = await chooseAnyPort();
  const route = { hosts: [{ host, origin: app.origin }], port };
  const command = [
    process.execPath,
    moduleFile('../../sites/app/serve-app.ts', import.meta.url),
    JSON.stringify(route),
  ];
  const roots = [{ host, directory: '', origin: { command, kind: 'app' as const } }];
  return startOrigin(t, { port, roots }, software);
}

const longFields = (bytes: number): [string, string][] =>
  Array.from({ length: bytes / fieldBytes }, (_, index) => [`x-long-${index}`, 'b'.repeat(fieldBytes)]);
const oddFields: [string, string][] = [
  ['x_own', '1'],
  ['x.own', '2'],
];

/** @returns the answer's headers, and its body at the end */
type Ask = (port: number, answerBytes: number, fields: readonly [string, string][]) => Promise<string>;

const overHttp2: Ask = (port, answerBytes, fields) =>
  new Promise((resolve, reject) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      servername: host,
      rejectUnauthorized: false,
      maxSendHeaderBlockLength: 1_000_000,
      settings: { maxHeaderListSize: 1_000_000 },
    });
    session.once('error', reject);
    const own = { ':path': `/${answerBytes}`, ':authority': `${host}:${port}` };
    const stream = session.request({ ...own, ...Object.fromEntries(fields) });
    let answer = '';
    stream.once('error', reject);
    stream.once('response', (headers) => (answer = JSON.stringify(headers)));
    stream.setEncoding('utf8').on('data', (text: string) => (answer += text));
    stream.once('end', () => {
      session.close();
      resolve(answer);
    });
  });

const byCurl =
  (program: string, option: string): Ask =>
  async (port, answerBytes, fields) => {
    const headers = fields.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const place = ['--noproxy', '*', '--resolve', `${host}:${port}:127.0.0.1`];
    const words = ['-sSki', option, '--max-time', '60', ...place, ...headers];
    const url = `https://${host}:${port}/${answerBytes}`;
    const { stdout } = await promisify(execFile)(program, [...words, url], { maxBuffer: 10_000_000 });
    return stdout;
  };

/** The ways to ask this server, and the most headers that each takes in an answer. */
async function waysToAsk(
  t: TestContext,
  front: string,
): Promise<readonly (readonly [string, Ask, number])[]> {
  // Node ends a connection over HTTP/2 whose answer has more than eight frames of headers.
  const byNode = ['HTTP/2', overHttp2, 2 * fieldBytes] as const;
  const known = knownClients.find(({ id }) => id === curl.id);
  assert.ok(known);
  const client = await findKnownClient(known, setup);
  if (client === undefined) {
    t.diagnostic('no curl: HTTP/2 alone');
    return [byNode];
  }
  const most = 6 * fieldBytes;
  const upToHttp2 = [['HTTP/1.1', byCurl(client.executablePath, '--http1.1'), most], byNode] as const;
  const download = { id: 'a body', kind: 'download' } as const;
  const refusal = commandDriver(curl).refusal?.(client, download, 'h3', { front, network: 'loopback' });
  if (refusal !== undefined) {
    t.diagnostic(`HTTP/3 is left out, which app-run.test.ts asks by Chromium: ${refusal}`);
    return upToHttp2;
  }
  return [...upToHttp2, ['HTTP/3', byCurl(client.executablePath, '--http3-only'), most]];
}

for (const software of serverSoftware.filter(({ scope }) => scope === undefined)) {
  const { id } = software;
  test(`${id}: heads of 200 kB and names with _ and . reach an app and come back, or it is known that they do not`, async (t) => {
    const missing = await software.ensure(setup).then(
      () => null,
      (thrown: unknown) => {
        if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return thrown.message;
        throw thrown;
      },
    );
    if (missing !== null) return t.skip(missing);
    const app = await startApp(t);
    const server = await startBefore(t, app, software);
    for (const [way, ask, maxBytes] of await waysToAsk(t, id)) {
      const answer = await ask(server.port, maxBytes, [...oddFields, ...longFields(200_000)]);
      assert.match(answer, /ok$/, `${way}: ${answer.slice(0, 100)}`);
      assert.equal(answer.match(/x-long-\d/gi)?.length ?? 0, maxBytes / fieldBytes, way);
      assert.match(answer, /x_answer/i, way);
      assert.match(answer, /x\.answer/i, way);
      const heard = app.heard();
      assert.equal(heard.get('x-long-4'), fieldBytes, way);
      for (const [name] of oddFields)
        assert.equal(heard.has(name), !dropOddNames.includes(id), `${way}: ${name}`);
    }
  });
}
