import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { browserFamilies } from '../../harness/clients/browsers/registry.ts';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { nginx } from '../../harness/servers/nginx.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { ServerSoftware } from '../../harness/servers/server-software.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { alpnByProtocol } from '../../src/core/model/protocol.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeTwoHostSite } from '../support/two-host-site.ts';
import type { TwoHostSite } from '../support/two-host-site.ts';
import { markedEnvironment } from '../support/test-scope.ts';

const deadlineMs = 60_000;
/** As pages of apps have it: a busy machine lets a load pause for longer than the 0.2 s that were waited here. */
const quietMs = 1_000;
/**
 * The default server with the browser that h2h3 brings; that it serves the others over each protocol, by its log, `every-protocol.test.ts`
 * and `firefox-trial.test.ts` tell. Of another what its own HTTP/2 and QUIC could break.
 */
const pairs: readonly {
  readonly software: ServerSoftware;
  readonly clients: readonly string[];
  readonly protocols: readonly Protocol[];
}[] = [
  { software: caddy, clients: ['embedded'], protocols: ['h1', 'h2', 'h3'] },
  { software: nginx, clients: ['best', 'firefox'], protocols: ['h2', 'h3'] },
];

for (const { software, clients, protocols } of pairs)
  describe(`${software.id} serves real browsers over each protocol`, () => {
    let setup: SetupContext;
    let certificates: CertificateStore;
    let server: RunningServer;
    let site: TwoHostSite;
    const cleanups: (() => void)[] = [];

    before(async () => {
      setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
      certificates = await openCertificateStore({ cache: setup.cache });
      const folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
      // The page names the other host with its port, so the port is chosen before the page is written.
      const port = await choosePort(undefined);
      site = writeTwoHostSite(folder, port);
      server = await serverProvider(software, setup).start({
        roots: site.roots,
        address: '127.0.0.1',
        port,
        certificates,
        workDir: path.join(folder, 'server'),
        launchPrefix: [],
        environment: markedEnvironment(),
      });
    });
    after(async () => {
      await server.stop();
      cleanups.forEach((cleanup) => cleanup());
    });

    for (const name of clients)
      for (const protocol of protocols)
        test(`${name} loads every object over ${protocol}, and the server's log says so too`, async (t) => {
          const client = await clientOrSkip(t, name, setup);
          if (client === undefined) return;
          const mark = await server.mark();
          const loaded = await loadPage(client, protocol, tempFolder(t));
          assert.deepEqual(loaded.map(({ name: object }) => object).sort(), [...site.objects].sort());
          assert.deepEqual([...new Set(loaded.map(({ alpn }) => alpn))], [alpnByProtocol[protocol]]);
          const logged = await server.entriesSince(mark, site.objects);
          assert.deepEqual(
            logged.map(({ host, path: file }) => host + file).sort(),
            [...site.objects].sort(),
          );
          assert.ok(logged.every((entry) => entry.protocol === protocol && entry.status === 200));
        });

    async function loadPage(client: ClientIdentity, protocol: Protocol, folder: string) {
      const profileDir = path.join(folder, 'profile');
      mkdirSync(profileDir);
      const launch = await browserFamilies[client.family as keyof typeof browserFamilies].launcher();
      const session = await launch({
        client,
        protocol,
        profileDir,
        spkiHash: certificates.spkiHash,
        hosts: site.roots.map(({ host }) => host),
        server: { address: server.address, port: server.port },
        headed: false,
        mediaBufferMegabytes: 0,
        frames: false,
        instrumentation: 'instrumented',
      });
      try {
        await session.startRecording();
        await session.navigate(`https://page.test:${server.port}/`, deadlineMs);
        await session.waitUntilQuiet(quietMs, deadlineMs);
        const recording = await session.stopRecording();
        const har = await recording.buildHar!();
        return har.log.entries.map(({ request, response }) => {
          const url = new URL(request.url);
          return { name: url.hostname + url.pathname, alpn: response.httpVersion };
        });
      } finally {
        await session.close();
      }
    }
  });

async function clientOrSkip(
  t: TestContext,
  name: string,
  setup: SetupContext,
): Promise<ClientIdentity | undefined> {
  try {
    return await resolveClient(name, setup);
  } catch (error) {
    if (!(error instanceof H2h3Error) || error.code !== 'unsupported') throw error;
    t.skip(error.message);
    return undefined;
  }
}
