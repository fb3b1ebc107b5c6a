import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { settlingDocuments } from '../../src/app/site/replay.ts';
import { archiveWorkload } from '../../sites/archive/archive-workload.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import { tempFolder } from './temp-folder.ts';
import { markedEnvironment } from './test-scope.ts';

export interface ServedArchive {
  readonly workload: PreparedWorkload;
  readonly server: RunningServer;
  readonly spkiHash: string;
}

/** An archive behind Caddy, until the test has ended. */
export async function serveArchive(
  t: TestContext,
  setup: SetupContext,
  archive: string,
  { inDocuments = false }: { readonly inDocuments?: boolean } = {},
): Promise<ServedArchive> {
  const { cache, projectDir, signal } = setup;
  const certificates = await openCertificateStore({ cache });
  const made = await archiveWorkload(archive).prepare({
    cacheDir: cache.directory,
    projectDir,
    port: 0,
    signal,
    progress: () => undefined,
    ffmpegPath: () => Promise.reject(new Error('sites need no ffmpeg')),
  });
  const workload = inDocuments ? { ...made, roots: made.roots.map(settlingDocuments) } : made;
  const server = await serverProvider(caddy, setup).start({
    roots: workload.roots,
    address: '127.0.0.1',
    port: null,
    certificates,
    launchPrefix: [],
    workDir: join(tempFolder(t), 'server'),
    environment: markedEnvironment(),
  });
  t.after(() => server.stop());
  return { workload, server, spkiHash: certificates.spkiHash };
}
