import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { openResultsStore } from '../../../../src/store/results/open-results-store.ts';

const keys = {
  asked: ['night/runs/a/records/b0/one.json', 'night/runs/a/records/b0/deep/two.json'],
  leading: [
    'night/runs/a/records/b0/../../../../../etc/evil.json',
    'night/runs/a/records/b0/..',
    'night/runs/a/records/b0/./one.json',
    'night/runs/a/records/b0//etc/evil.json',
    'night/runs/a/records/b0/..\\evil.json',
    'night/runs/a/records/b0/\u001b[2J.json',
    '../night/runs/a/records/b0/evil.json',
    '/etc/evil.json',
    'night/elsewhere.json',
  ],
};

/** A store that says yes to everything and lists what it likes. Returns its address and what it was asked. @param read what it answers instead */
async function lyingStore(
  t: TestContext,
  read?: (response: ServerResponse) => void,
): Promise<{ place: string; asked: string[] }> {
  const before = { ...process.env };
  t.after(() => (process.env = before));
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'lab', AWS_SECRET_ACCESS_KEY: 'lab-secret' });
  const asked: string[] = [];
  const written = new Set<string>();
  const server = createServer((request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url}`);
    request.resume();
    if (method === 'PUT') {
      const isThere = headers['if-none-match'] === '*' && written.has(url);
      written.add(url);
      return void response.writeHead(isThere ? 412 : 200).end();
    }
    if (method === 'DELETE') return void response.writeHead(204).end();
    if (read !== undefined) return read(response);
    const contents = [...keys.asked, ...keys.leading].map(
      (key) => `<Contents><Key>${key.replaceAll('\u001b', '&#x1b;')}</Key></Contents>`,
    );
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { place: `s3://lab/night?endpoint=${endpoint}`, asked };
}

test('keys of a bucket that lead out of it, or are none that were asked for, are not listed', async (t) => {
  const { place, asked } = await lyingStore(t);
  const store = await openResultsStore(place);
  t.after(() => store.close());
  assert.deepEqual(
    await store.list('runs/a/records/b0/'),
    keys.asked.map((key) => key.slice('night/'.length)),
  );
  assert.ok(!asked.join('\n').includes('lab-secret'), 'the key itself goes nowhere');
});

test('a bucket that refuses to be read, breaks off or answers something else says so in a sentence', async (t) => {
  const breakOff = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': 100 }).write('abc', () => response.destroy());
  };
  const refuse = (response: ServerResponse): void =>
    void response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>not yours</Message></Error>');
  const garble = (response: ServerResponse): void => void response.writeHead(200).end('<no list');
  for (const [read, acts] of [
    [refuse, ['get', 'list']],
    [breakOff, ['get', 'list']],
    [garble, ['list']],
  ] as const) {
    const { place } = await lyingStore(t, read);
    const store = await openResultsStore(place);
    t.after(() => store.close());
    for (const act of acts)
      await assert.rejects(Promise.resolve(store[act]('runs/a/plan.json')), {
        name: 'H2h3Error',
        code: 'storage',
        message: /^cannot read runs\/a\/plan\.json from s3:\/\/lab\/night[^\n]*: [^\n]+$/,
      });
  }
});

test('an object that goes on without end is read as far as it may be long', async (t) => {
  const { place } = await lyingStore(t, (response) => {
    const send = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', send).writeHead(200);
    send();
  });
  const store = await openResultsStore(place);
  t.after(() => store.close());
  await assert.rejects(store.get('runs/a/plan.json', 100_000), {
    code: 'bad-input',
    message: /plan\.json has more than 100000 bytes, which are not taken$/,
  });
});
