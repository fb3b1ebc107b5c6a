import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { startCaddy } from './caddy-server.ts';
import { projectDir } from './cli.ts';
import { tempFolder } from './temp-folder.ts';

export interface LiveSite {
  readonly url: string;
  /** What leads its names to this machine. */
  readonly connectTo: readonly string[];
  readonly certificateFile: string;
}

export interface LiveSiteParts {
  readonly page: string;
  readonly third: string;
  /** HTML that its page has besides. */
  readonly more?: string;
}

/** 1×1 transparent GIF. */
const dot = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Two ports that no run of this machine takes meanwhile. */
export async function twoPorts(): Promise<[number, number]> {
  const first = await choosePort(undefined);
  const holder = createServer().listen(first, '127.0.0.1');
  await once(holder, 'listening');
  const second = await choosePort(undefined);
  holder.close();
  await once(holder, 'close');
  return [first, second];
}

/**
 * A site that no run started: its page over all protocols, an image of a third party over TCP only, an address that is
 * never answered (`/ads/`), and a `no-store` body that the page's script reads to its end. By default its names lead nowhere
 * without `connectTo`; `localhost` and names below it need none.
 */
export async function startLiveSite(
  t: TestContext,
  { page, third, more = '' }: LiveSiteParts = { page: 'page.test', third: 'tcp.test' },
): Promise<LiveSite> {
  const folder = tempFolder(t);
  const setup = await createSetupContext({ projectDir });
  const caddy = await ensureCaddy(setup);
  const certificates = await openCertificateStore({ cache: setup.cache });
  const [port, tcpPort] = await twoPorts();
  const files = await Promise.all([...new Set([page, third])].map((host) => certificates.filesFor(host)));
  const root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'dot.gif'), Buffer.from(dot, 'base64'));
  writeFileSync(join(root, 'data.bin'), Buffer.alloc(200_000, 7));
  writeFileSync(
    join(root, 'index.html'),
    `<!doctype html><title>live</title><img src="https://${third}:${tcpPort}/dot.gif"><img src="/ads/dot.gif">
<script>fetch('/data.bin', { cache: 'no-store' }).then((answer) => answer.arrayBuffer());</script>${more}`,
  );
  const serve = (listen: number, protocols: readonly string[]): object => ({
    listen: [`127.0.0.1:${listen}`],
    protocols,
    automatic_https: { disable: true },
    tls_connection_policies: [{}],
    routes: [
      { match: [{ path: ['/ads/*'] }], handle: [{ handler: 'static_response', status_code: 404 }] },
      {
        match: [{ path: ['/data.bin'] }],
        handle: [{ handler: 'headers', response: { set: { 'Cache-Control': ['no-store'] } } }],
      },
      { handle: [{ handler: 'file_server', root }] },
    ],
  });
  const servers = { all: serve(port, ['h1', 'h2', 'h3']), tcp: serve(tcpPort, ['h1', 'h2']) };
  await startCaddy(t, caddy.path, { servers, files });
  return {
    url: `https://${page}:${port}/`,
    connectTo: [`${page}:${port}:127.0.0.1:${port}`, `${third}:${tcpPort}:127.0.0.1:${tcpPort}`],
    certificateFile: files[0]?.certificateFile ?? '',
  };
}
