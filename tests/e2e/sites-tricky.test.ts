import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import type { CertificateStore } from '../../harness/tools/certificates.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { selectProbes } from '../../harness/probes/selection.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import type { ArchiveIndex } from '../../sites/archive/archive-index.ts';
import { archiveWorkload } from '../../sites/archive/archive-workload.ts';
import { openArchive } from '../../sites/archive/open-archive.ts';
import { exportHar } from '../../sites/record/export-har.ts';
import { exportWarc } from '../../sites/record/export-warc.ts';
import { importHar } from '../../sites/record/import-har.ts';
import { importWarc } from '../../sites/record/import-warc.ts';
import { recordSite } from '../../sites/record/record-site.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { harOfUnrecorded } from '../../src/app/run/finish-trial.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import type { Har } from '../../src/core/model/har.ts';
import type { RawTrial, ReplayLedger } from '../../src/core/model/raw-trial.ts';
import type { Instrumentation } from '../../src/core/model/instrumentation.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { recordByPlaywright } from '../support/record-by-playwright.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';
import { serveTrickySite, trickyHosts, type TrickySite } from '../support/tricky-site.ts';
import { markedEnvironment } from '../support/test-scope.ts';

/** The page waits for what may come late itself; a machine under load must not cut it off. */
const recordingLimitMs = 120_000;

type Results = Readonly<Record<string, 0 | 1 | string>>;

/** What a replay cannot give, and says so when the site is recorded. */
const lacking = ['socket'];

/** What a file of Playwright's does not hold besides, and its import says so: pauses within a body, and events of a stream that was open. */
const lackingInPlaywrightsZip = [...lacking, 'trickles', 'smallPieces', 'events'];

/** Longer than the page waits for events, for which a trial by itself does not. */
const pastEventsMs = 25_000;

const checkCount = 37;

function failedIn(results: Results): [string, 0 | 1 | string][] {
  return Object.entries(results).filter(([, result]) => result !== 1);
}

function resultsIn(query: string): Results {
  const report = new URLSearchParams(query).get('cb');
  assert.ok(report, `a report in ${query}`);
  return JSON.parse(report) as Results;
}

describe('a site with everything that is hard to replay', () => {
  let setup: SetupContext;
  let certificates: CertificateStore;
  let site: TrickySite;
  let outDir: string;
  let index: ArchiveIndex;
  let unsupported: string | undefined;
  const folders: (() => void)[] = [];

  before(async () => {
    setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
    certificates = await openCertificateStore({ cache: setup.cache });
    site = await serveTrickySite(certificates);
    const mitmdump = await ensureMitmdump(setup).catch(messageOf);
    if (typeof mitmdump === 'string') return void (unsupported = mitmdump);
    const client = await resolveClient('best', setup);
    outDir = join(tempFolder({ after: (remove) => void folders.push(remove as () => void) }), 'archive');
    const recorded = await recordSite({
      urls: ['https://site.test/'],
      outDir,
      mitmdump,
      insecureUpstream: true,
      browserPath: client.executablePath,
      browserEnvironment: client.environment,
      proxyPort: await choosePort(undefined),
      connectTo: site.connectTo,
      progress: () => undefined,
      limitMs: recordingLimitMs,
      signal: AbortSignal.timeout(600_000),
    });
    index = recorded.index;
    assert.deepEqual(recorded.dialogs, ['alert: a dialog', 'confirm: yes?']);
  });
  after(() => {
    site.close();
    folders.forEach((remove) => remove());
  });

  function original(): Results {
    const report = index.entries.find(({ path }) => path === '/report');
    return resultsIn(report?.query ?? '');
  }

  test('the original passes every check, and is quiet though it polls', (t) => {
    if (unsupported !== undefined) return t.skip(unsupported);
    assert.deepEqual(failedIn(original()), []);
    assert.equal(Object.keys(original()).length, checkCount);
    assert.equal(index.complete, true);
  });

  test('the archive holds what happened, in order, and names what cannot be replayed', (t) => {
    if (unsupported !== undefined) return t.skip(unsupported);
    const of = (path: string): ArchiveIndex['entries'] =>
      index.entries.filter((entry) => entry.path === path);
    assert.deepEqual(index.lacks, [{ feature: 'WebSocket', url: 'wss://site.test/socket' }]);
    assert.equal(of('/state').length, 3);
    assert.equal(new Set(of('/port').map(({ port }) => port)).size, 2);
    assert.deepEqual(
      of('/reset').map(({ status, failure }) => [status, failure]),
      [[0, 'broken']],
    );
    assert.deepEqual(
      of('/never').map(({ status, failure }) => [status, failure]),
      [[0, 'aborted']],
    );
    assert.deepEqual(
      of('/cut').map(({ status, failure }) => [status, failure]),
      [[200, 'broken']],
    );
    assert.equal(
      of('/tagged').some(({ status }) => status === 304),
      false,
    );
    assert.deepEqual(
      of('/').map(({ status }) => status),
      [302, 200],
    );
    assert.deepEqual(of('/')[1]?.hints, [
      [['link', '</style.css>; rel=preload; as=style, </early.css>; rel=preload; as=style']],
    ]);
    const pauses = of('/trickle')[0]?.pauses.map(([, ms]) => ms) ?? [];
    const paused = pauses.reduce((sum, ms) => sum + ms, 0);
    assert.ok(pauses.length >= 2 && paused >= 300 && paused < 20_000, JSON.stringify(pauses));
    assert.ok(index.failures.some(({ url }) => url.startsWith('https://dead.test/')));
    assert.ok(index.failures.some(({ url }) => url === 'https://blocked.test/blocked.js'));
    assert.equal(index.device?.width, 1350);
    assert.doesNotMatch(JSON.stringify(index), /alice|a-long-value|hush/);
  });

  // The page waits for what comes late, for most of its time.
  describe('as it was recorded', { concurrency: 2 }, () => {
    for (const [browser, protocol] of [
      ['best', 'h2'],
      ['firefox', 'h2'],
      ['firefox', 'h3'],
    ] as const)
      test(`${browser} over ${protocol} passes every check of the original`, async (t) => {
        if (unsupported !== undefined) return t.skip(unsupported);
        const client = await resolveClient(browser, setup).catch(messageOf);
        if (typeof client === 'string') return t.skip(client);
        await assertReplays(t, outDir, client, protocol);
      });

    test('best over h3 passes every check of the original, and loads the same objects when nothing records it', async (t) => {
      if (unsupported !== undefined) return t.skip(unsupported);
      const client = await resolveClient('best', setup).catch(messageOf);
      if (typeof client === 'string') return t.skip(client);
      const recorded = await assertReplays(t, outDir, client, 'h3');
      const workload = await prepared(outDir);
      const { raw, har: none } = await loaded(t, workload, client, 'h3', 'uninstrumented');
      assert.equal(none, null);
      const har = harOfUnrecorded(raw, workload);
      const derived = await deriveTrial({ protocol: 'h3', workload, raw, har, frameImages: [] });
      assert.equal(derived.status, 'ok', derived.reason);
      // What the page asks for again and again is counted for as long as it is watched.
      const objects = pathsOf(har);
      assert.deepEqual(objects, pathsOf(recorded));
      assert.ok(objects.length > 20, objects.join());
    });
  });

  // The page of the zip waits for events, for most of its time.
  describe('whose archive comes from a file', { concurrency: 2 }, () => {
    test('imported from a zip that Playwright recorded, it names what such a file lacks and passes the rest', async (t) => {
      const client = await resolveClient('best', setup).catch(messageOf);
      if (typeof client === 'string') return t.skip(client);
      const folder = tempFolder(t);
      const harFile = join(folder, 'site.zip');
      const imported = join(folder, 'imported');
      const report = await recordByPlaywright(harFile, client, site);
      assert.deepEqual(failedIn(resultsIn(new URL(report).search)), []);
      const { warnings } = await importHar({ harFile, outDir: imported });
      assert.match(warnings.join(), /preflights.*does not say where servers paused/);
      const { lacks } = (await openArchive(imported)).index;
      assert.deepEqual(lacks, [
        { feature: 'EventSource', url: 'https://site.test/events' },
        { feature: 'WebSocket', url: 'wss://site.test/socket' },
      ]);
      const { ledger } = await assertChecks(t, imported, client, 'h2', {
        mayFail: lackingInPlaywrightsZip,
        quietMs: pastEventsMs,
      });
      // Recorded to the report and no further: what the page asks for again and again from then on is named.
      const missed = ledger.misses.map(({ url }) => new URL(url).pathname);
      assert.deepEqual([...new Set(missed)], ['/poll']);
    });

    for (const [format, browser, protocol] of [
      ['HAR', 'firefox', 'h3'],
      ['WARC', 'best', 'h2'],
    ] as const) {
      test(`exported to ${format} and imported again it passes all of them in ${browser} over ${protocol}`, async (t) => {
        if (unsupported !== undefined) return t.skip(unsupported);
        const client = await resolveClient(browser, setup).catch(messageOf);
        if (typeof client === 'string') return t.skip(client);
        const folder = tempFolder(t);
        const file = join(folder, 'file');
        const again = join(folder, 'again');
        const archive = await openArchive(outDir);
        if (format === 'HAR') {
          await exportHar(archive, file);
          await importHar({ harFile: file, outDir: again });
        } else {
          await exportWarc(archive, file);
          await importWarc({ warcFile: file, outDir: again, signal: AbortSignal.timeout(600_000) });
        }
        await assertReplays(t, again, client, protocol);
      });
    }
  });

  /** What was recorded of it. */
  async function assertReplays(
    t: TestContext,
    archive: string,
    client: ClientIdentity,
    protocol: 'h2' | 'h3',
  ): Promise<Har | null> {
    const { workload, ledger, raw, har, told } = await assertChecks(t, archive, client, protocol);
    const derived = await deriveTrial({ protocol, workload, raw, har, frameImages: [] });
    assert.deepEqual([derived.status, derived.reason], ['ok', undefined], told);
    assert.equal(ledger.answered['lacking'], 1, told);
    assert.match(derived.warnings.join('\n'), /not answered, as was said when it was recorded.*\/socket/);
    return har;
  }

  interface Loaded {
    readonly raw: RawTrial;
    readonly ledger: ReplayLedger;
    readonly har: Har | null;
  }

  interface Checked extends Loaded {
    readonly workload: PreparedWorkload;
    readonly told: string;
  }

  async function assertChecks(
    t: TestContext,
    archive: string,
    client: ClientIdentity,
    protocol: 'h2' | 'h3',
    { mayFail = lacking, quietMs }: { readonly mayFail?: readonly string[]; readonly quietMs?: number } = {},
  ): Promise<Checked> {
    const asRun = await prepared(archive);
    const workload = quietMs === undefined ? asRun : { ...asRun, quietMs };
    const { raw, ledger, har } = await loaded(t, workload, client, protocol, 'instrumented');
    const report = objectsOf(har).find((object) => object.includes('/report?'));
    const { outcome, measuredMs, warnings } = raw;
    const told = `${outcome} after ${measuredMs} ms ${JSON.stringify(ledger)} ${JSON.stringify(warnings)} ${objectsOf(har).join(' ')}`;
    assert.ok(report, told);
    const results = resultsIn(report.split('?')[1] ?? '');
    const failed = failedIn(results).filter(([name]) => !mayFail.includes(name));
    assert.deepEqual(failed, [], told);
    const passed = Object.values(results).filter((result) => result === 1).length;
    // A check that was never reported is none that passed.
    assert.ok(passed >= checkCount - mayFail.length, told);
    t.diagnostic(`${passed} of ${checkCount} checks pass: ${client.family} over ${protocol}`);
    assert.equal(outcome, 'completed', told);
    assert.match(warnings.join(), /dialogs of the page that were answered with yes \(2\)/);
    return { workload, raw, ledger, har, told };
  }

  /** A trial of an archive, with what its server kept of it. */
  async function loaded(
    t: TestContext,
    workload: PreparedWorkload,
    client: ClientIdentity,
    protocol: 'h2' | 'h3',
    instrumentation: Instrumentation,
  ): Promise<Loaded> {
    const server = await serve(t, workload);
    const mark = await server.mark();
    const sinceEpochMs = Date.now();
    const probes = selectProbes('page', [], instrumentation).map(({ id }) => id);
    const order = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash: certificates.spkiHash,
      workload,
      changes: { protocol, instrumentation, probes },
    });
    const { done, har } = await runTrialWorker(order);
    const serverLog = await server.entriesSince(mark, []);
    const ledger = await server.ledgerSince?.(sinceEpochMs);
    assert.ok(ledger);
    return { raw: { ...done.raw, serverLog, ledger }, ledger, har };
  }

  /** Chromium's own events leave out a web socket that was refused. */
  function pathsOf(har: Har | null): string[] {
    const paths = objectsOf(har)
      .map((object) => object.split('?')[0] ?? '')
      .filter((path) => !path.endsWith('/socket'));
    return [...new Set(paths)].toSorted();
  }

  async function prepared(archive: string): Promise<PreparedWorkload> {
    const { cache, projectDir, signal } = setup;
    const ffmpegPath = (): Promise<string> => Promise.reject(new Error('sites need no ffmpeg'));
    const progress = (): void => undefined;
    const context = { cacheDir: cache.directory, projectDir, port: 0, ffmpegPath, progress, signal };
    const workload = await archiveWorkload(archive).prepare(context);
    assert.deepEqual(workload.roots.map(({ host }) => host).sort(), [...trickyHosts].sort());
    return workload;
  }

  async function serve(t: TestContext, workload: PreparedWorkload): Promise<RunningServer> {
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
    return server;
  }
});
