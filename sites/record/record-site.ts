import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openRunScope } from '../../src/core/system/processes/run-scope.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { ArchiveIndex } from '../archive/archive-index.ts';
import { storeArchive } from '../archive/store-archive.ts';
import { requireNewArchive } from '../archive/write-archive.ts';
import { chanceScript } from '../replay/chance-script.ts';
import type { RecordOptions } from './record-options.ts';
import { isOfBrowserAlone } from './browser-services.ts';
import { withMinWaits } from './min-waits.ts';
import { makeProxyAuthority } from './proxy-authority.ts';
import { startProxy } from './proxy-process.ts';
import { readFlows, type Flow, type Flows } from './read-flows.ts';
import { overTls } from './start-address.ts';
import { plainHttpWarning } from './store-imported.ts';
import { visitAll, type Visited } from './visit-pages.ts';
import { trustedAuthorities } from '../pages/visit-remote.ts';

export interface RecordResult {
  readonly index: ArchiveIndex;
  /** Requests of the browser itself and not of a page; they are not in the archive. */
  readonly backgroundRequests: number;
  /** Addresses whose answers no archive can hold. */
  readonly skipped: readonly string[];
  /** What a reader must know of answers that are held otherwise than they came. */
  readonly warnings: readonly string[];
  /** Dialogs that the pages opened and that were answered: kind and text. */
  readonly dialogs: readonly string[];
}

/**
 * Records pages through a proxy that only this browser trusts. What is stored is what the servers sent, encoded bodies
 * included; nothing of the protocol it came over stays.
 *
 * @throws H2h3Error `usage` when the folder exists, `bad-input` when an address cannot be loaded, `process-failed` when a program fails.
 */
export async function recordSite(options: RecordOptions): Promise<RecordResult> {
  requireNewArchive(options.outDir);
  // Proxy, browser and folder go with this process, also where that is killed.
  const { tempDir, environment, reaper } = await openRunScope((title) => options.progress({ title }));
  const scratch = join(tempDir, 'proxy');
  const epochMs = options.deterministic === true ? Date.now() : null;
  const firstScript = epochMs === null ? undefined : chanceScript(epochMs);
  try {
    await mkdir(scratch);
    const visited = await visit(options, { tempDir, scratch, environment, firstScript });
    throwIfInterrupted(options.signal);
    return await store(options, visited, await readFlows(scratch), epochMs);
  } finally {
    await reaper.finish();
  }
}

interface Scope {
  readonly tempDir: string;
  /** Folder of the proxy. */
  readonly scratch: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly firstScript: string | undefined;
}

/** Proxy and browser start side by side; the browser waits for the proxy before it loads anything. */
async function visit(
  options: RecordOptions,
  { tempDir, scratch, environment, firstScript }: Scope,
): Promise<Visited> {
  const spkiHash = await makeProxyAuthority(scratch);
  const proxy = startProxy({
    urls: options.urls,
    environment,
    mitmdump: options.mitmdump,
    connectTo: options.connectTo ?? [],
    port: options.proxyPort,
    directory: scratch,
    insecureUpstream: options.insecureUpstream ?? false,
    authorities: trustedAuthorities(options.ca),
    ...(firstScript === undefined ? {} : { workerScript: firstScript }),
    signal: options.signal,
  });
  // Its awaiter hears of its failure; until then the browser starts.
  proxy.catch(() => undefined);
  try {
    const profileDir = join(tempDir, 'profile');
    return await visitAll({ options, proxy, spkiHash, firstScript, profileDir, environment });
  } catch (thrown) {
    // Whatever failed because the browser was ended is no failure of the site.
    throwIfInterrupted(options.signal);
    throw thrown;
  } finally {
    // One that did not start has said so already.
    await proxy.then(
      (running) => running.stop(),
      () => undefined,
    );
  }
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new H2h3Error('interrupted', 'Recording was interrupted; nothing is kept of it');
}

async function store(
  options: RecordOptions,
  visited: Visited,
  { flows, unreachable }: Flows,
  deterministicEpochMs: number | null,
): Promise<RecordResult> {
  const ofPages = flows.filter((flow) => flow.ofPage || visited.asked.has(flow.url));
  const answered = new Set(ofPages.filter(isWhole).map(({ url }) => url));
  const unreachableByPages = unreachable.filter(({ url }) => !isOfBrowserAlone(url, visited.asked));
  const failures = [
    ...visited.failures,
    ...unreachableByPages.map(({ url, reason }) => ({ method: 'GET', url, reason })),
  ].filter(({ url }) => !answered.has(url));
  const head = {
    urls: options.urls.map(overTls),
    recordedAt: new Date().toISOString(),
    recorder: `h2h3 through mitmproxy, ${visited.browser}`,
    complete: visited.complete,
    device: visited.device,
    deterministicEpochMs,
    failures: [...new Map(failures.map((failure) => [`${failure.method} ${failure.url}`, failure])).values()],
    lacks: lacksOf(visited, flows),
  };
  const exchanges = ofPages
    .filter(({ exchange }) => exchange.entry.status !== switchingProtocols)
    .map((flow) => ({
      ...flow.exchange,
      entry: { ...flow.exchange.entry, visit: visitOf(flow, visited.startsEpochMs) },
    }));
  const choices = { ...options, secrets: [...(options.access?.secrets ?? []), ...visited.secrets] };
  const { index, skipped, warnings } = await storeArchive(choices, head, withMinWaits(exchanges));
  const backgroundRequests = flows.length - ofPages.length + (unreachable.length - unreachableByPages.length);
  return {
    index,
    backgroundRequests,
    skipped,
    warnings: [...warnings, ...plainHttpWarning(exchanges)],
    dialogs: visited.dialogs,
  };
}

const switchingProtocols = 101;

function isWhole({ exchange: { entry } }: Flow): boolean {
  return entry.status !== 0 && (entry.failure ?? null) === null;
}

function visitOf({ startEpochMs }: Flow, startsEpochMs: readonly number[]): number {
  return Math.max(
    0,
    startsEpochMs.findLastIndex((start) => start <= startEpochMs),
  );
}

/** Web sockets of workers pass the proxy only; those of pages are told by the browser as well. */
function lacksOf(visited: Visited, flows: readonly Flow[]): { feature: string; url: string }[] {
  const ofFlows = flows
    .filter(({ exchange }) => exchange.entry.status === switchingProtocols)
    .map(({ url }) => ({ feature: 'WebSocket', url: url.replace(/^http/, 'ws') }));
  const all = [...visited.lacks, ...ofFlows];
  return [...new Map(all.map((lack) => [`${lack.feature} ${lack.url}`, lack])).values()];
}
