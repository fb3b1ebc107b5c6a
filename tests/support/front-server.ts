import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { testEnvironment } from './test-scope.ts';

export interface FrontOptions {
  /** The name that its certificate has. */
  readonly host: string;
  /** Its own, and that of the application on the loopback. */
  readonly ports: { readonly own: number; readonly application: number };
  /** Where it listens. Default: the loopback. */
  readonly addresses?: readonly string[];
  /** PEM files of its certificate. Default: a self-signed one. */
  readonly certificate?: { readonly certificateFile: string; readonly keyFile: string };
  /** Paths of the application by the paths that lead there too. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** For its configuration; made where there is none. */
  readonly folder: string;
  /** Words before its command line. Default: none. */
  readonly launchPrefix?: readonly string[];
}

const startLimitMs = 120_000;

/**
 * Starts an HTTP/1.1, HTTP/2 and HTTP/3 server before an application that speaks none but the first.
 *
 * @returns what ends it
 */
export async function startFront(
  {
    host,
    ports,
    folder,
    addresses = loopbacks(),
    certificate,
    aliases = {},
    launchPrefix = [],
  }: FrontOptions,
  setup: SetupContext,
): Promise<() => void> {
  const caddy = await ensureCaddy(setup);
  const { certificateFile, keyFile } =
    certificate ?? (await (await openCertificateStore({ cache: setup.cache })).filesFor(host));
  const handle = [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${ports.application}` }] }];
  const alias = Object.entries(aliases).map(([path, uri]) => ({
    match: [{ path: [path] }],
    handle: [{ handler: 'rewrite', uri }],
  }));
  const server = {
    // Chromium asks for QUIC at the address that it tries first, which is that of IPv6 where there is one.
    listen: addresses.map((address) => `${address}:${ports.own}`),
    automatic_https: { disable: true },
    tls_connection_policies: [{}],
    routes: [...alias, { handle }],
  };
  const load_files = [{ certificate: certificateFile, key: keyFile }];
  const apps = { http: { servers: { front: server } }, tls: { certificates: { load_files } } };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'caddy.json');
  writeFileSync(file, JSON.stringify({ admin: { disabled: true }, apps }));
  const env = { ...process.env, ...testEnvironment() };
  const [program = '', ...args] = [...launchPrefix, caddy.path, 'run', '--config', file];
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let waitedMs = 0; !said.includes('serving initial configuration'); waitedMs += 50) {
    if (child.exitCode !== null || waitedMs > startLimitMs) {
      child.kill('SIGKILL');
      throw new Error(`Caddy did not start: ${said}`);
    }
    await sleep(50);
  }
  return () => void child.kill('SIGKILL');
}

function loopbacks(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return ['127.0.0.1', ...(own.some(({ address }) => address === '::1') ? ['[::1]'] : [])];
}
