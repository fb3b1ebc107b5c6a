/**
 * A command-line client as a newcomer adds one: HTTP/2 by Node's own module, one connection a host, one request after
 * another. Started as a program it loads the addresses of its command line and prints a line of JSON for each.
 */
import { createHash, type X509Certificate } from 'node:crypto';
import { connect, constants } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { parseArgs } from 'node:util';
import type { CommandClient, CommandTransfer } from '../../../harness/clients/commands/command-client.ts';

export const added: CommandClient = {
  id: 'added-client',
  title: 'added client',
  programs: ['added-client'],
  installHint: 'a test writes it',
  parseVersion: (text) => ({ version: text.trim(), protocols: ['h2'] }),
  arguments: ({ server, spkiHash, urls, flags }) => [
    ...(server === null ? [] : ['--address', server.address, '--port', String(server.port)]),
    ...(spkiHash === '' ? [] : ['--key', spkiHash]),
    ...flags,
    ...urls,
  ],
  transfers: (stdout) =>
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CommandTransfer),
  timeLimitExitCode: 28,
};

interface Target {
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly key: string | undefined;
}

function requireKey(wanted: string | undefined, certificate: X509Certificate | undefined): void {
  const key = certificate?.publicKey.export({ type: 'spki', format: 'der' }) ?? '';
  const got = createHash('sha256').update(key).digest('base64');
  if (wanted !== undefined && got !== wanted) throw new Error(`the server has the key ${got}`);
}

async function load(url: string, { address, port, key }: Target): Promise<CommandTransfer> {
  const { hostname, port: own } = new URL(url);
  const connectStartMs = performance.now();
  const socket = connectTls({
    host: address ?? hostname,
    port: port ?? Number(own === '' ? 443 : own),
    servername: hostname,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: key === undefined,
  });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  requireKey(key, socket.getPeerX509Certificate());
  const session = connect(url, { createConnection: () => socket });
  const connectEndMs = performance.now();
  const { pathname, search } = new URL(url);
  const stream = session.request({ [constants.HTTP2_HEADER_PATH]: pathname + search });
  let responseStartMs = connectEndMs;
  let bodyBytes = 0;
  let status = 0;
  let mimeType = '';
  stream.on('response', (headers) => {
    responseStartMs = performance.now();
    status = Number(headers[':status']);
    mimeType = headers['content-type'] ?? '';
  });
  stream.on('data', (chunk: Buffer) => (bodyBytes += chunk.length));
  await new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject));
  session.close();
  return {
    url,
    status,
    protocol: String(socket.alpnProtocol),
    bodyBytes,
    headerBytes: null,
    mimeType,
    connectStartMs,
    connectEndMs,
    requestStartMs: connectEndMs,
    responseStartMs,
    endMs: performance.now(),
  };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      version: { type: 'boolean' },
      address: { type: 'string' },
      port: { type: 'string' },
      key: { type: 'string' },
    },
  });
  if (values.version === true) process.stdout.write(`${process.versions.node}\n`);
  const { address, key } = values;
  const port = values.port === undefined ? undefined : Number(values.port);
  for (const url of positionals)
    process.stdout.write(`${JSON.stringify(await load(url, { address, port, key }))}\n`);
}
