import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import type { TrialOrder } from '../../harness/trial/worker-protocol.ts';
import { selectSites, downloadWorkloads } from '../../sites/index.ts';
import { selectProbes } from '../../harness/probes/selection.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { harOfUnrecorded } from '../../src/app/run/finish-trial.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Har, HarEntry } from '../../src/core/model/har.ts';
import { alpnByProtocol } from '../../src/core/model/protocol.ts';
import { sessionEndPath } from '../../src/core/model/session-end.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runTrialWorker, trialOrder, type Done } from '../support/trial-rig.ts';
import { markedEnvironment } from '../support/test-scope.ts';

const projectDir = path.resolve(import.meta.dirname, '../..');
/** Several hosts and web fonts; a module graph; the smallest document; redirects, frames and vector images. */
const spec = 'page-landing,page-three-modules,replica-scratch.mit.edu,replica-123rf.com';

/** The smallest; visited a second time as well. */
const revisited = 'replica-scratch.mit.edu';

describe('sites in real browsers', () => {
  let setup: SetupContext;
  let certificates: CertificateStore;
  let server: RunningServer;
  let workloads: PreparedWorkload[];
  const cleanups: (() => void)[] = [];

  before(async () => {
    setup = await createSetupContext({ projectDir });
    certificates = await openCertificateStore({ cache: setup.cache });
    const folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    const port = await choosePort(undefined);
    const chosen = [
      ...selectSites(spec),
      ...downloadWorkloads().filter(({ id }) => id === 'download-1mb-x4'),
    ];
    const context = {
      // What registries have of them is fetched once for all.
      cacheDir: setup.cache.directory,
      projectDir,
      port,
      ffmpegPath: () => Promise.reject(new Error('sites need no ffmpeg')),
      progress: () => undefined,
      signal: AbortSignal.timeout(600_000),
    };
    workloads = await Promise.all(chosen.map((workload) => workload.prepare(context)));
    server = await serverProvider(caddy, setup).start({
      roots: workloads.flatMap(({ roots }) => roots),
      address: '127.0.0.1',
      port,
      certificates,
      workDir: path.join(folder, 'server'),
      launchPrefix: [],
      environment: markedEnvironment(),
    });
  });
  /** By the browser and by the server: what came over the network did so over the arm's protocol, the rest was there. */
  async function assertRevisited(cold: TrialOrder, site: PreparedWorkload): Promise<void> {
    const { protocol } = cold;
    const workload = { ...site, view: 'repeat' as const };
    const mark = await server.mark();
    const { done, har } = await runTrialWorker({ ...cold, workload });
    const startEpochMs = Date.parse(done.raw.startedAt);
    const log = await server.entriesSince(mark, []);
    const serverLog = log.filter((entry) => entry.startEpochMs >= startEpochMs);
    const first = log.length - serverLog.length;
    assert.equal(first, site.facts.objectCount, 'the first visit asked for everything');
    const raw = { ...done.raw, serverLog };
    const derived = await deriveTrial({ protocol, workload, raw, har, frameImages: [] });
    assert.deepEqual([derived.status, derived.reason], ['ok', undefined], JSON.stringify(done.raw.error));
    const { objectCount, cachedObjectCount, protocolShare, resumedHostShare } = derived.metrics;
    assert.deepEqual(protocolShare, { [protocol]: 1 });
    assert.equal(Number(objectCount) + Number(cachedObjectCount), site.facts.objectCount);
    assert.ok(Number(objectCount) >= 1 && Number(cachedObjectCount) > Number(objectCount));
    assert.deepEqual(
      serverLog.map(({ status }) => status),
      serverLog.map(() => 304),
      'documents are asked for again and are as before',
    );
    assert.ok(typeof resumedHostShare === 'number', 'the server says whether TLS sessions were resumed');
    const asCold = await deriveTrial({ protocol, workload: site, raw, har, frameImages: [] });
    assert.match(asCold.reason ?? '', /came from the browser's cache in a cold load/);
  }

  /** The same, with a HAR of what the page itself and the server know. */
  async function loadUninstrumented(
    order: TrialOrder,
  ): Promise<{ readonly done: Done; readonly har: Har | null }> {
    const mark = await server.mark();
    const probes = selectProbes('page', [], 'uninstrumented').map(({ id }) => id);
    const { done } = await runTrialWorker({ ...order, instrumentation: 'uninstrumented', probes });
    const serverLog = await server.entriesSince(mark, []);
    return { done, har: harOfUnrecorded({ ...done.raw, serverLog }, order.workload) };
  }

  after(async () => {
    await server.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  for (const browser of ['best', 'firefox']) {
    for (const protocol of ['h2', 'h3'] as const) {
      test(
        `every object of every site comes over ${protocol}, watched or not (${browser} browser)`,
        protocol === 'h2' ? inBrowser(browser) : {},
        async (t) => {
          const client = await resolveClient(browser, setup).catch((thrown: unknown) => {
            if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return undefined;
            throw thrown;
          });
          if (client === undefined) return t.skip(`no ${browser} browser on this machine`);
          for (const [index, workload] of workloads.entries()) {
            const order = trialOrder({
              folder: tempFolder(t),
              client,
              server,
              spkiHash: certificates.spkiHash,
              changes: { protocol },
              workload,
            });
            // Each site is watched in every second of the four loads, and has the same objects in all of them.
            const isInstrumented =
              (index + Number(protocol === 'h3') + Number(browser === 'firefox')) % 2 === 0;
            const { done, har } =
              isInstrumented || workload.kind === 'download'
                ? await runTrialWorker(order)
                : await loadUninstrumented(order);
            assertWhole(workload, done, har, alpnByProtocol[protocol]);
            if (workload.id === revisited) await assertRevisited(order, workload);
          }
        },
      );
    }
  }
});

function assertWhole(workload: PreparedWorkload, done: Done, har: Har | null, httpVersion: string): void {
  assert.equal(done.raw.outcome, 'completed', `${workload.id}: ${done.raw.error?.message}`);
  const entries = (har?.log.entries ?? []).filter(({ request }) => !request.url.endsWith(sessionEndPath));
  const wrong = entries.filter(
    ({ response }) => response.status !== 200 || response.httpVersion !== httpVersion || response._error,
  );
  assert.deepEqual(
    wrong.map(({ request, response }) => [request.url, response.status, response.httpVersion]),
    [],
    workload.id,
  );
  assert.equal(entries.length, workload.facts.objectCount, `${workload.id}: objects`);
  const served = new Set(workload.roots.map(({ host }) => host));
  const hosts = new Set(entries.map(({ request }) => new URL(request.url).hostname));
  assert.deepEqual(hosts.difference(served), new Set(), `${workload.id}: hosts that are not served`);
  assert.equal(hosts.size, workload.facts.hostCount, `${workload.id}: hosts`);
  if (workload.id.startsWith('replica-')) assert.ok(orderKept(entries) >= 0.9, `${workload.id}: order`);
  if (workload.kind === 'download') assertBodies(done);
}

/** Spearman's rank correlation between the starts of a replica's objects and their rows in the recording. */
function orderKept(entries: readonly HarEntry[]): number {
  const byStart = entries.toSorted((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime));
  const rows = byStart.flatMap(({ request }) => /\/(\d+)\.\w+$/.exec(request.url)?.[1] ?? []).map(Number);
  const ranks = new Map(rows.toSorted((a, b) => a - b).map((row, rank) => [row, rank]));
  const squares = rows.map((row, rank) => ((ranks.get(row) ?? 0) - rank) ** 2);
  const count = rows.length;
  return 1 - (6 * squares.reduce((sum, square) => sum + square, 0)) / (count * (count ** 2 - 1));
}

function assertBodies({ raw }: Done): void {
  assert.equal(raw.session?.kind, 'download');
  if (raw.session?.kind !== 'download') return;
  assert.deepEqual(raw.session.errors, []);
  assert.equal(raw.session.streams.length, 4);
  for (const stream of raw.session.streams) {
    assert.equal(stream.bytes, 1_000_000);
    assert.ok(stream.requestStartMs > 0 && stream.requestStartMs <= stream.responseStartMs);
    assert.ok(stream.responseStartMs <= stream.lastByteReadMs);
  }
  const opened = raw.session.streams.filter((stream) => stream.connectEndMs > stream.connectStartMs);
  assert.ok(opened.length >= 1, 'the connection of the bodies was opened by their requests');
}
