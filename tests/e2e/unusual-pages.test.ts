import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { importHar } from '../../sites/record/import-har.ts';
import { importWarc } from '../../sites/record/import-warc.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readHar, readRaw } from '../../src/store/evidence.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { startCaddy } from '../support/caddy-server.ts';
import { projectDir, readRecords, runCli } from '../support/cli.ts';
import { harEntry, warcRecord, warcResponse } from '../support/imported-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const icon = '<link rel=icon href="data:,">';
const imageCount = 3;
const images = Array.from({ length: imageCount }, (_, index) => `/${index}.svg`);
const gallery = `<!doctype html><title>images</title>${icon}${images.map((path) => `<img src="${path}">`).join('')}`;

/** A worker that stores one file, hands on another, and makes a third. */
const worker = `oninstall = (event) => event.waitUntil(
  caches.open('v').then((cache) => cache.addAll(['/stored.json'])).then(() => skipWaiting()));
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === '/made.json') event.respondWith(new Response('{}'));
  if (pathname === '/stored.json') event.respondWith(caches.match(event.request));
  if (pathname === '/asked.json') event.respondWith(fetch(event.request));
};`;
const ofWorker = `<!doctype html><title>worker</title>${icon}<script type=module>
const ready = new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
await navigator.serviceWorker.register('/worker.js');
await ready;
for (const path of ['/asked.json', '/stored.json', '/made.json']) await (await fetch(path)).text();
</script>`;
const ofWorkerFiles = { '/': ofWorker, '/worker.js': worker, '/asked.json': '{}', '/stored.json': '{}' };

const rules = {
  prerender: [{ urls: ['/next.html'], eagerness: 'immediate' }],
  prefetch: [{ source: 'document', where: { href_matches: '/*' }, eagerness: 'eager' }],
};
const speculating = `<!doctype html><title>rules</title>${icon}<script type=speculationrules>${JSON.stringify(rules)}</script>
<a href="/linked.html">on</a><img src="/0.svg">`;

const whole = ['--repetitions', '1', '--recorded', '1', '--exploratory', '--quick-start'];

const told = (record: TrialRecord): string =>
  [record.workload, record.arm, record.instrumentation, record.reason, ...record.warnings].join(' ');

/** Paths that a trial's HAR has an answer to, and those in the log of its server. */
function pathsOf(out: string, { artifacts }: TrialRecord): { answered: string[]; logged: string[] } {
  const folder = dirname(join(out, String(artifacts['raw'])));
  const entries = readHar(folder)?.log.entries ?? [];
  const answered = entries.filter(({ response }) => response.status === 200);
  const logged = readRaw(folder).serverLog ?? [];
  const sorted = (paths: readonly string[]): string[] => [...new Set(paths)].toSorted();
  return {
    answered: sorted(answered.map(({ request }) => new URL(request.url).pathname)),
    logged: sorted(logged.map(({ path }) => path)),
  };
}

const typeOf = (path: string): string =>
  ({ svg: 'image/svg+xml', js: 'text/javascript', json: 'application/json' })[path.split('.')[1] ?? ''] ??
  'text/html';

test('recorded sites with a service worker, speculation rules, or answers made for another browser are measured in all blocks alike', async (t) => {
  const folder = tempFolder(t);
  const site = (host: string, files: Readonly<Record<string, string>>, more: object = {}): string => {
    const entries = Object.entries(files).map(([path, body], atSeconds) =>
      harEntry({ url: `https://${host}${path}`, type: typeOf(path), body, atSeconds, ...more }),
    );
    return JSON.stringify({ log: { creator: { name: 'test' }, entries } });
  };
  const withImages = { '/': gallery, ...Object.fromEntries(images.map((path) => [path, svg])) };
  const crawl = (host: string, asksAs: string | null): Buffer =>
    Buffer.concat(
      Object.entries(withImages).flatMap(([path, body], atSeconds) => {
        const url = `https://${host}${path}`;
        const id = `<urn:test:${host}${path}>`;
        const headers = [['Vary', 'Accept-Encoding']] as const;
        const more = { 'WARC-Record-ID': id };
        const response = warcResponse({ url, type: typeOf(path), body, headers, atSeconds, more });
        const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${asksAs}\r\n\r\n`;
        const to = { type: 'request', url, atSeconds, more: { 'WARC-Concurrent-To': id } };
        return asksAs === null ? [response] : [response, warcRecord(to, request)];
      }),
    );
  const firefox = {
    headers: [['vary', 'Accept-Encoding, User-Agent']],
    requestHeaders: [
      ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'],
      ['accept-encoding', 'gzip, deflate, br, zstd'],
    ],
  };
  const files: Readonly<Record<string, string | Buffer>> = {
    'worker.har': site('worker.test', ofWorkerFiles),
    'rules.har': site('rules.test', { '/': speculating, '/0.svg': svg }),
    'firefox.har': site('firefox.test', withImages, firefox),
    'plain.warc': crawl('plain.test', 'identity'),
    'unasked.warc': crawl('unasked.test', null),
  };
  const archives: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    writeFileSync(file, content);
    const [id = '', kind = ''] = name.split('.');
    const outDir = join(folder, id);
    if (kind === 'har') await importHar({ harFile: file, outDir });
    else await importWarc({ warcFile: file, outDir, signal: AbortSignal.timeout(60_000) });
    archives.push(outDir);
  }
  const out = join(folder, 'run');
  const { stderr } = await runCli([
    'run',
    '--sites',
    archives.join(','),
    '--network',
    'loopback',
    ...whole,
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.equal(records.length, 4 * archives.length, stderr);
  const expected: Readonly<Record<string, readonly string[]>> = {
    worker: Object.keys(ofWorkerFiles),
    rules: ['/', '/0.svg'],
  };
  for (const record of records) {
    assert.equal(record.status, 'ok', told(record));
    const { logged } = pathsOf(out, record);
    const wanted = expected[record.workload.replace('archive-', '')] ?? Object.keys(withImages);
    assert.deepEqual(logged, wanted.toSorted(), told(record));
  }
});

test('live pages with a service worker or speculation rules are measured in all blocks alike', async (t) => {
  const folder = tempFolder(t);
  const root = join(folder, 'root');
  mkdirSync(root);
  const files = { ...ofWorkerFiles, '/index.html': ofWorker, '/rules.html': speculating, '/0.svg': svg };
  for (const [path, content] of Object.entries(files))
    if (path !== '/') writeFileSync(join(root, path), content);
  for (const name of ['next.html', 'linked.html'])
    writeFileSync(join(root, name), `<!doctype html>${icon}<p>${name}`);
  const setup = await createSetupContext({ projectDir });
  const certificates = await openCertificateStore({ cache: setup.cache });
  const host = 'page.test';
  const port = await choosePort(undefined);
  const server = {
    listen: [`127.0.0.1:${port}`],
    protocols: ['h1', 'h2', 'h3'],
    automatic_https: { disable: true },
    tls_connection_policies: [{}],
    routes: [{ handle: [{ handler: 'file_server', root }] }],
  };
  await startCaddy(t, (await ensureCaddy(setup)).path, {
    servers: { server },
    files: [await certificates.filesFor(host)],
  });
  const expected = {
    '/': ['/', '/asked.json', '/stored.json'],
    '/rules.html': ['/0.svg', '/rules.html'],
  };
  const out = join(folder, 'run');
  const addresses = Object.keys(expected).flatMap((path) => ['--url', `https://${host}:${port}${path}`]);
  const led = ['--connect-to', `${host}:${port}:127.0.0.1:${port}`, '--insecure'];
  const { stderr } = await runCli(['run', ...addresses, ...led, ...whole, '--out', out]);
  const all = Map.groupBy(readRecords(out), ({ workload }): string =>
    workload.endsWith('rules.html') ? '/rules.html' : '/',
  );
  for (const [path, wanted] of Object.entries(expected)) {
    const records = all.get(path) ?? [];
    assert.equal(records.length, 4, stderr);
    for (const record of records) {
      assert.equal(record.status, 'ok', told(record));
      const { answered } = pathsOf(out, record);
      // What the worker makes by itself is no answer of the server, and its script is in the HAR of a recorded trial alone.
      assert.deepEqual(
        answered.filter((each) => !['/made.json', '/worker.js'].includes(each)),
        wanted,
        told(record),
      );
    }
  }
});
