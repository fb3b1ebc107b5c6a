import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SiteRoot } from '../../src/core/model/workload.ts';

/** The page's host. */
export const pageHost = 'page.test';

/** Ways in which a page can ask for an object of another host: `/strays.html` has all of them. */
export const strayWays = [
  'image',
  'frame',
  'worker',
  'preload',
  'beacon',
  'preflight',
  'service-worker',
  'redirect',
  'favicon',
  'web-socket',
  'not-modified',
] as const;
/** How long after its load a page becomes unreadable: a busy machine tells of the load within it. */
const afterLoadMs = 1000;
/** A trial waits for so long after the load of such a page before it reads it. */
export const unreadableQuietMs = 2 * afterLoadMs;
/** Pages that cannot be read after their load: `/WAY.html`, each with what its trial says. */
export const unreadablePages = {
  blocks: {
    script: `addEventListener('load', () => setTimeout(() => { for (;;); }, ${afterLoadMs}))`,
    says: /the page could not be read after its load: reading the timings of the page took longer/,
  },
} as const;

/** Ways in which a page leads on to `/led-to.html` by itself, each a page of its own: `/WAY.html`, with what its document has. */
export const leadsOn = {
  'leads-at-once': "<script>location.replace('/led-to.html')</script>",
  'leads-by-refresh': '<meta http-equiv="refresh" content="0;url=/led-to.html"><p>one page',
  'leads-at-load': "<p>one page<script>onload = () => (location = '/led-to.html')</script>",
  'leads-later': `<p>one page<script>onload = () => setTimeout(() => (location = '/led-to.html'), ${afterLoadMs})</script>`,
} as const;

/** A page that asks to be closed after its load, which browsers refuse to pages that no script opened: `/closes.html`. */
const closes = "addEventListener('load', () => setTimeout(() => window.close(), 50))";
/** A page whose script keeps it from its load event for so long: `/busy.html`. */
export const busyMs = 4000;

export type StrayWay = (typeof strayWays)[number];

/** The host of what a page asks for in this way, which a test leads over the other protocol. */
export const strayHost = (way: StrayWay): string => `${way}.test`;

/** Writes the pages below `folder`; `port` is the server's. */
export function writeTwoProtocolsSite(folder: string, port: number): readonly SiteRoot[] {
  const stray = (way: StrayWay): string => `https://${strayHost(way)}:${port}`;
  const bodies: Readonly<Record<StrayWay, string>> = {
    image: `<img src="${stray('image')}/image.svg">`,
    frame: `<iframe src="${stray('frame')}/inner.html"></iframe>`,
    worker: `<script>new Worker('/worker.js')</script>`,
    preload: `<link rel="preload" as="fetch" crossorigin href="${stray('preload')}/image.svg">`,
    beacon: `<script>navigator.sendBeacon('${stray('beacon')}/image.svg', 'told')</script>`,
    preflight: `<script>fetch('${stray('preflight')}/image.svg', { headers: { 'x-own': '1' } }).catch(() => undefined)</script>`,
    'service-worker': `<script>navigator.serviceWorker.register('/service.js')</script>`,
    // A folder without its slash is answered by a redirect.
    redirect: `<iframe src="${stray('redirect')}/folder"></iframe>`,
    favicon: `<link rel="icon" href="${stray('favicon')}/image.svg">`,
    'web-socket': `<script>new WebSocket('wss://${strayHost('web-socket')}:${port}/image.svg')</script>`,
    'not-modified': `<script>
      const ask = (cache) => fetch('${stray('not-modified')}/image.svg', { mode: 'no-cors', cache });
      ask('default').then(() => ask('no-cache'));
    </script>`,
  };
  const pageDir = path.join(folder, 'page');
  const strayDir = path.join(folder, 'stray');
  const write = (directory: string, name: string, content: string): void => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, name), content);
  };
  write(pageDir, 'strays.html', `<!doctype html><img src="/image.svg">${Object.values(bodies).join('\n')}`);
  for (const [way, { script }] of Object.entries(unreadablePages))
    write(pageDir, `${way}.html`, `<!doctype html><link rel="icon" href="data:,"><script>${script}</script>`);
  const busy = `<script>for (const end = performance.now() + ${busyMs}; performance.now() < end; );</script>`;
  write(pageDir, 'busy.html', `<!doctype html><link rel="icon" href="data:,">${busy}`);
  write(pageDir, 'closes.html', `<!doctype html><link rel="icon" href="data:,"><script>${closes}</script>`);
  for (const [way, body] of Object.entries(leadsOn))
    write(pageDir, `${way}.html`, `<!doctype html><link rel="icon" href="data:,">${body}`);
  write(
    pageDir,
    'led-to.html',
    '<!doctype html><link rel="icon" href="data:,"><p>another page<img src="/image.svg">',
  );
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>';
  write(pageDir, 'image.svg', svg);
  write(pageDir, 'worker.js', `fetch('${stray('worker')}/image.svg').then((answer) => answer.text())`);
  write(
    pageDir,
    'service.js',
    `addEventListener('install', (e) => e.waitUntil(fetch('${stray('service-worker')}/image.svg').then((answer) => answer.text())))`,
  );
  write(strayDir, 'image.svg', svg);
  write(strayDir, 'inner.html', '<!doctype html><p>inner');
  write(path.join(strayDir, 'folder'), 'index.html', '<!doctype html><p>inner');
  return [
    { host: pageHost, directory: pageDir },
    ...strayWays.map((way) => ({ host: strayHost(way), directory: strayDir })),
  ];
}
