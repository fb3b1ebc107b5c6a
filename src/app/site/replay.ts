import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverProviders } from '../../../harness/servers/registry.ts';
import type { RunningServer } from '../../../harness/servers/server.ts';
import { openCertificateStore } from '../../../harness/tools/certificates.ts';
import { archiveWorkload, exportHar, exportWarc, openArchive } from '../../../sites/index.ts';
import { shellWord } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { SiteRoot } from '../../core/model/workload.ts';
import { choosePort } from '../../core/system/free-port.ts';
import { openRunScope } from '../../core/system/processes/run-scope.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { prepareWorkloads } from '../run/prepare-run.ts';
import { requireWritable } from '../../core/system/write-whole.ts';

export interface ReplayOptions {
  /** Port of the server, TCP and UDP. Default: 8443 or the next free one. */
  readonly port?: number | undefined;
  /** Wait as long as the recorded servers did before the first byte. Default: no. */
  readonly thinkTime?: boolean | undefined;
  /** Time and random numbers of scripts are the same in each load. Default: where the site was recorded so. */
  readonly deterministic?: boolean | undefined;
}

/** How to reach a site that is being replayed. */
export interface ServedSite {
  readonly title: string;
  /** How many hosts it has. */
  readonly hosts: number;
  /** `address:port` of the server. */
  readonly address: string;
  /** Of the server's key, as Chromium's flag wants it. */
  readonly spkiHash: string;
  /** What Chromium's `--host-resolver-rules` must be. */
  readonly resolverRules: string;
  readonly url: string;
}

export interface ReplayEvents {
  onServing(site: ServedSite): void;
  /** A request without an answer in the archive. */
  onMiss(request: { readonly method: string; readonly url: string }): void;
  /** A request whose answer is not exactly its own. */
  onInexact(request: { readonly method: string; readonly url: string; readonly found: string }): void;
  /** So many more without an answer, which are not named any more. */
  onMore(count: number): void;
}

const pollMs = 500;

/** @throws H2h3Error `usage` for an address, of which a recording is made first */
function requireFolder(archive: string): void {
  if (!/^https?:/i.test(archive)) return;
  throw new H2h3Error('usage', `${archive} is an address, and a recording is replayed`, {
    next: `Record it first, \`npx h2h3 record ${shellWord(archive)}\`, then name the folder of the recording.`,
  });
}

/** Writes an archive as a HAR or a WARC file instead of serving it. @throws H2h3Error `usage` where the file exists */
export async function exportArchive(
  archive: string,
  to: { readonly harFile?: string | undefined; readonly warcFile?: string | undefined },
): Promise<void> {
  requireFolder(archive);
  const opened = await openArchive(archive);
  for (const [option, file] of [
    ['--to-har', to.harFile],
    ['--to-warc', to.warcFile],
  ] as const) {
    if (file === undefined) continue;
    if (existsSync(file))
      throw new H2h3Error('usage', `${file} exists already`, { next: 'Name another file.' });
    requireWritable(file, option);
  }
  if (to.harFile !== undefined) await exportHar(opened, to.harFile);
  if (to.warcFile !== undefined) await exportWarc(opened, to.warcFile);
}

/**
 * Serves a recorded site over H1, H2 and H3 until the context's signal says stop.
 *
 * @throws H2h3Error `process-failed` when the server ends by itself
 */
export async function replay(
  archive: string,
  options: ReplayOptions,
  context: AppContext,
  events: ReplayEvents,
): Promise<void> {
  requireFolder(archive);
  const setup = await setupContextOf(context);
  const { thinkTime = false, deterministic = false } = options;
  const workload = archiveWorkload(archive, { thinkTime, deterministic });
  const port = await choosePort(options.port);
  const prepared = (await prepareWorkloads([workload], port, setup)).get(workload.id);
  const [provider] = serverProviders(setup);
  if (!prepared || !provider) throw new H2h3Error('internal', 'nothing to serve, or no server');
  const certificates = await openCertificateStore({ cache: setup.cache });
  const scope = await openRunScope((sentence) => context.progress.say(sentence));
  try {
    const server = await provider.start({
      roots: prepared.roots.map(settlingDocuments),
      address: '127.0.0.1',
      port,
      certificates,
      launchPrefix: [],
      workDir: join(scope.tempDir, 'server'),
      environment: scope.environment,
    });
    const hosts = prepared.roots.map(({ host }) => host);
    events.onServing({
      title: workload.title,
      hosts: hosts.length,
      address: `127.0.0.1:${port}`,
      spkiHash: certificates.spkiHash,
      resolverRules: [...hosts.map((host) => `MAP ${host} 127.0.0.1:${port}`), 'MAP * ~NOTFOUND'].join(','),
      url: 'url' in prepared.entry ? prepared.entry.url : '',
    });
    await tellMisses(server, context, events);
    await server.stop();
  } finally {
    await scope.reaper.finish();
  }
}

/** In a run the harness settles pages; a browser of the user's is settled by what it is served. */
export function settlingDocuments(root: SiteRoot): SiteRoot {
  const { origin } = root;
  return origin === undefined
    ? root
    : { ...root, origin: { ...origin, command: [...origin.command, '--in-documents'] } };
}

/** Until the user asks to stop, or the server is gone. */
async function tellMisses(server: RunningServer, context: AppContext, events: ReplayEvents): Promise<void> {
  const sinceEpochMs = Date.now();
  const told = { misses: 0, inexact: 0, missed: 0 };
  while (!context.signal.aborted && server.alive()) {
    await sleep(pollMs, undefined, { signal: context.signal }).catch(() => undefined);
    const ledger = await server.ledgerSince?.(sinceEpochMs);
    if (ledger === undefined) continue;
    const { misses, inexact, missed = misses.length } = ledger;
    misses.slice(told.misses).forEach((miss) => events.onMiss(miss));
    inexact.slice(told.inexact).forEach((line) => events.onInexact(line));
    // The ledger names the first of them only.
    const more = missed - told.missed - (misses.length - told.misses);
    if (more > 0) events.onMore(more);
    Object.assign(told, { misses: misses.length, inexact: inexact.length, missed });
  }
  if (!context.signal.aborted) throw new H2h3Error('process-failed', 'the server ended by itself');
}
