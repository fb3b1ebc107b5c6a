import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { CertificateStore } from '../../harness/tools/certificates.ts';

export const settledHost = 'settled.test';

/** Of every kind of scope that runs scripts. */
export const scopes = ['page', 'frame', 'dedicated', 'module', 'blob', 'data', 'shared', 'service'] as const;

/** What a script may put into an address of time and chance, and how often it read the clock until 500 ms were over. */
const read = `JSON.stringify([
  Date.now(), new Date().getTime(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))],
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'medium' }).format(),
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', timeStyle: 'medium' }).formatToParts().map(({ value }) => value).join(''),
  (() => { const end = Date.now() + 500; let turns = 0; while (Date.now() < end) turns++; return turns; })(),
])`;

const page = `<!DOCTYPE html><link rel="icon" href="data:,"><script>
const said = (target, worker) => new Promise((done) => {
  target.onmessage = ({ data }) => done(data);
  worker.onerror = (event) => done('failed: ' + (event.message ?? event.type));
});
const worker = (address, options) => { const made = new Worker(address, options); return said(made, made); };
const blob = () => {
  const address = URL.createObjectURL(new Blob([${JSON.stringify(`postMessage(${read})`)}], { type: 'text/javascript' }));
  const answer = worker(address);
  URL.revokeObjectURL(address);
  return answer;
};
const asks = {
  page: () => ${read},
  frame: () => new Promise((done) => {
    addEventListener('message', ({ data }) => done(data), { once: true });
    document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame.html' }));
  }),
  dedicated: () => worker('/dedicated.js'),
  module: () => worker('/module.js', { type: 'module' }),
  blob,
  data: () => worker('data:text/javascript,' + encodeURIComponent(${JSON.stringify(`postMessage(${read})`)})),
  shared: () => { const made = new SharedWorker('/shared.js'); return said(made.port, made); },
  service: async () => {
    await navigator.serviceWorker.register('/service.js');
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    const answer = said(port1, port1);
    active.postMessage('', [port2]);
    return answer;
  },
};
(async () => {
  for (const [of, ask] of Object.entries(asks)) {
    const what = await Promise.resolve().then(ask).catch(String);
    await fetch('/told?of=' + of + '&what=' + encodeURIComponent(what));
  }
})();
</script><body>`;

const scripts: Readonly<Record<string, string>> = {
  '/dedicated.js': `postMessage(${read})`,
  '/module.js': `import { read } from '/read.js'; postMessage(read())`,
  '/read.js': `export const read = () => ${read}`,
  '/shared.js': `onconnect = ({ ports: [port] }) => port.postMessage(${read})`,
  '/service.js': `onactivate = (event) => event.waitUntil(clients.claim());
onmessage = ({ ports: [port] }) => port.postMessage(${read})`,
};

export interface SettledSite {
  readonly port: number;
  /** Addresses in which a scope told what it read, in order. */
  readonly told: readonly string[];
}

/** A page that tells what time and chance are in each kind of scope; it is served until the test has ended. */
export async function serveSettledSite(t: TestContext, certificates: CertificateStore): Promise<SettledSite> {
  const { certificateFile, keyFile } = await certificates.filesFor(settledHost);
  const told: string[] = [];
  const tls = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  const server = createServer(tls, ({ url = '' }, response) => {
    if (url.startsWith('/told?')) told.push(url);
    const script = scripts[url];
    const type = script === undefined ? 'text/html' : 'text/javascript';
    const html =
      url === '/' ? page : url === '/frame.html' ? `<script>parent.postMessage(${read}, '*')</script>` : '';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(script ?? html);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, told };
}
