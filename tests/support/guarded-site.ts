import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { startCaddy } from './caddy-server.ts';
import { projectDir } from './cli.ts';

/** A request as the program behind the site saw it. */
export interface SeenRequest {
  readonly host: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

export interface GuardedSite {
  readonly url: string;
  readonly certificateFile: string;
  /** What keeps Chromium, whose QUIC knows no second address, from `::1`; Firefox needs none. */
  readonly connectTo: readonly string[];
  /** What leads a browser of a command there, and lets it trust the certificate. */
  readonly visitedBy: (client: string) => readonly string[];
  /** Everything that was asked for, oldest first. */
  readonly seen: readonly SeenRequest[];
}

/** What a program behind the site answers. */
export type Answer = (request: IncomingMessage, response: ServerResponse, third: string) => void;

/**
 * A site that no run started, on names that lead to this machine by themselves: Caddy with all protocols before a program,
 * under `localhost` and, as a third party, under `third.localhost`.
 */
export async function startGuardedSite(
  t: TestContext,
  answer: Answer,
  {
    address = '127.0.0.1',
    host = 'localhost',
    certificates: given,
    upgrade,
  }: {
    readonly address?: string;
    readonly host?: string;
    /** PEM files of certificates for both names. Default: self-signed ones. */
    readonly certificates?: readonly { readonly certificateFile: string; readonly keyFile: string }[];
    /** What the program does about web sockets. Default: none are taken. */
    readonly upgrade?: (request: IncomingMessage, socket: Duplex) => void;
  } = {},
): Promise<GuardedSite> {
  const seen: SeenRequest[] = [];
  const port = await choosePort(undefined);
  const third = `https://third.${host}:${port}`;
  const program = createServer((request, response) => {
    seen.push({ host: request.headers.host ?? '', url: request.url ?? '', headers: request.headers });
    answer(request, response, third);
  });
  // The server in front may use a connection again at the moment when it would be closed for being idle.
  program.keepAliveTimeout = 0;
  if (upgrade !== undefined) program.on('upgrade', upgrade);
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    program.close();
    program.closeAllConnections();
  });
  const upstream = `127.0.0.1:${(program.address() as AddressInfo).port}`;
  const setup = await createSetupContext({ projectDir });
  const certificates = await openCertificateStore({ cache: setup.cache });
  const names = [host, `third.${host}`];
  const files = given ?? (await Promise.all(names.map((name) => certificates.filesFor(name))));
  const own = {
    listen: [`${address}:${port}`],
    protocols: ['h1', 'h2', 'h3'],
    automatic_https: { disable: true },
    tls_connection_policies: [{}],
    routes: [{ handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: upstream }] }] }],
  };
  await startCaddy(t, (await ensureCaddy(setup)).path, { servers: { own }, files });
  const url = `https://${host}:${port}/`;
  const connectTo = names.flatMap((name) => ['--connect-to', `${name}:${port}:${address}:${port}`]);
  const certificateFile = files[0]?.certificateFile ?? '';
  const visitedBy = (client: string): readonly string[] => {
    const led = client === 'firefox' ? [] : connectTo;
    return ['--client', client, '--url', url, '--ca', certificateFile, ...led];
  };
  return { url, connectTo, visitedBy, certificateFile, seen };
}
