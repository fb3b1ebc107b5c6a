import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startLimitMs, waitUntil } from '../../support/processes.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const program = join(import.meta.dirname, '../../../video/broadcast/moq_relay.py');

/** In the place of the relay's library: nobody watches, and what is published is counted in a file. */
const standIn = `import asyncio, os
Error = type('Error', (Exception,), {})
class ContainerFormat: FMP4 = 'fmp4'
class Stream:
    def write(self, data):
        with open(os.environ['PUBLISHED'], 'a') as file: file.write('x')
    def finish(self): pass
class Broadcast:
    def publish_container_stream(self, kind): return Stream()
    def announce(self): pass
class Server:
    local_addr = '127.0.0.1:4433'
    def __init__(self, address, tls_generate): pass
    async def __aenter__(self): return self
    async def __aexit__(self, *why): pass
    def cert_fingerprints(self): return ['00']
    def create_broadcast(self, name): return Broadcast()
    def __aiter__(self): return self
    async def __anext__(self): await asyncio.sleep(3600)
`;

interface Relay {
  /** Sends bytes, and resolves with all that comes back until the relay closes or has answered. */
  readonly ask: (bytes: string | Buffer) => Promise<string>;
  readonly isAlive: () => boolean;
  readonly publishedFile: string;
}

const fragment = Buffer.from('000000086d6f6f66000000086d646174', 'hex');

/** With an asset of three seconds. */
async function startRelay(t: TestContext): Promise<Relay> {
  const folder = tempFolder(t);
  const track = join(folder, 'media', 'clock', 'best');
  mkdirSync(track, { recursive: true });
  mkdirSync(join(folder, 'media', 'empty'));
  const asset = { chunkSeconds: 1, tracks: [{ representation: 'best' }] };
  writeFileSync(join(folder, 'media', 'clock', 'asset.json'), JSON.stringify(asset));
  writeFileSync(join(track, 'init.mp4'), '');
  for (const number of [1, 2, 3]) writeFileSync(join(track, `0000${number}.m4s`), fragment);
  writeFileSync(join(folder, 'moq.py'), standIn);
  const socket = join(folder, 'relay.sock');
  const publishedFile = join(folder, 'published');
  writeFileSync(publishedFile, '');
  const child = spawn(
    'python3',
    [program, join(folder, 'media'), 'relay.test', socket, join(folder, 'ledger')],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PYTHONPATH: folder,
        PYTHONDONTWRITEBYTECODE: '1',
        H2H3_SERVER_ADDRESS: '127.0.0.1',
        PUBLISHED: publishedFile,
      },
    },
  );
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await waitUntil('the relay listens', startLimitMs, () => existsSync(socket));
  const ask = async (bytes: string | Buffer): Promise<string> => {
    const connection = connect(socket);
    let answer = '';
    connection.on('error', () => undefined);
    connection.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      connection.end();
    });
    connection.write(bytes);
    await once(connection, 'close');
    return answer;
  };
  return { ask, isAlive: () => child.exitCode === null && child.signalCode === null, publishedFile };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: relay.test\r\n\r\n`;

/** Each with what is answered; null: the connection is closed. */
const badRequests: readonly (readonly [string, string | Buffer, RegExp | null])[] = [
  ['more seconds than there are', get('/live/0/4/clock/moq.json'), /404[^]*clock has 3 seconds, not 4/],
  ['far more', get('/live/0/99999/clock/moq.json'), /404[^]*not 99999/],
  ['an asset that is not there', get('/live/0/1/none/moq.json'), /404[^]*there is no asset none/],
  ['a folder that is no asset', get('/live/0/1/empty/moq.json'), /404[^]*there is no asset empty/],
  ['another path', get('/'), /404/],
  [
    'a path that is no UTF-8',
    Buffer.from('GET /live/\xff/1/clock/moq.json HTTP/1.1\r\n\r\n', 'latin1'),
    /404/,
  ],
  ['no path', 'GET\r\n\r\n', /404/],
  ['a head without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`, null],
];

test('no request ends the relay: what it has no media for is answered with why', async (t) => {
  const version = spawnSync('python3', ['-c', 'import asyncio; asyncio.TaskGroup'], { encoding: 'utf8' });
  if (version.status !== 0) return t.skip('no python3 of version 3.11 or later');
  const { ask, isAlive, publishedFile } = await startRelay(t);
  for (const [what, bytes, expected] of badRequests) {
    const answer = await ask(bytes);
    if (expected === null) assert.equal(answer, '', what);
    else assert.match(answer, expected, what);
    assert.ok(isAlive(), `it ended after ${what}`);
  }
  assert.equal(readFileSync(publishedFile, 'utf8'), '');
  assert.match(await ask(get('/live/0/3/clock/moq.json')), /200 OK[^]*"broadcast": "0-1.hang", "port": 4433/);
  // Of a broadcast that began long ago: its first bytes, and all three segments.
  await waitUntil('all is published', startLimitMs, () => readFileSync(publishedFile, 'utf8') === 'xxxx');
  assert.ok(isAlive());
});
