import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { recordSite } from '../../sites/record/record-site.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { scopes, serveSettledSite, settledHost } from '../support/settled-site.ts';
import { serveArchive } from '../support/served-archive.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';

/** Recordings that go quiet do so long before. */
const recordingLimitMs = 120_000;

/** What each scope told, by its name. */
function toldIn(addresses: readonly string[]): Map<string, string> {
  const queries = addresses.flatMap((address) => /\/told\?(.*)/.exec(address)?.[1] ?? []);
  return new Map(
    queries.map((query) => {
      const of = new URLSearchParams(query);
      return [of.get('of') ?? '', of.get('what') ?? ''];
    }),
  );
}

test('pages, frames and every kind of worker have the recorded time and chance in each replay', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  const mitmdump = await ensureMitmdump(setup).catch(messageOf);
  if (typeof mitmdump === 'string') return t.skip(mitmdump);
  const recorder = await resolveClient('best', setup);
  const site = await serveSettledSite(t, await openCertificateStore({ cache: setup.cache }));
  const outDir = join(tempFolder(t), 'archive');
  const { index } = await recordSite({
    urls: [`https://${settledHost}/`],
    outDir,
    mitmdump,
    insecureUpstream: true,
    deterministic: true,
    browserPath: recorder.executablePath,
    browserEnvironment: recorder.environment,
    proxyPort: await choosePort(undefined),
    connectTo: [`${settledHost}:443:127.0.0.1:${site.port}`],
    progress: () => undefined,
    limitMs: recordingLimitMs,
    signal: AbortSignal.timeout(600_000),
  });
  const recorded = toldIn(site.told);
  assert.deepEqual([...recorded.keys()], scopes);
  for (const [scope, what] of recorded) {
    const [now, date, chance, uuid, , shown, parts, turns] = JSON.parse(what) as (number | string)[];
    const second = new Date(index.deterministicEpochMs ?? NaN).toISOString().slice(11, 19);
    assert.deepEqual([now, date], Array(2).fill(index.deterministicEpochMs), scope);
    assert.deepEqual([String(shown).slice(-8), parts], [second, second], scope);
    assert.ok(Number(chance) < 1 && /^[0-9a-f-]{36}$/.test(String(uuid)), scope);
    assert.ok(
      Number(turns) > 200 && Number(turns) <= 300,
      `${scope}: a wait of 500 ms took ${turns} readings`,
    );
  }

  const { workload, server, spkiHash } = await serveArchive(t, setup, outDir);
  for (const [browser, protocol] of [
    ['best', 'h2'],
    ['firefox', 'h3'],
  ] as const)
    await t.test(`${browser} over ${protocol}`, async (replayed) => {
      const client = await resolveClient(browser, setup).catch(messageOf);
      if (typeof client === 'string') return replayed.skip(client);
      const order = trialOrder({
        folder: tempFolder(replayed),
        client,
        server,
        spkiHash,
        workload,
        changes: { protocol },
      });
      const { done, har } = await runTrialWorker(order);
      assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
      assert.deepEqual(toldIn(objectsOf(har)), recorded);
    });

  await t.test('one that no harness settles, as `h2h3 replay` serves it', async (alone) => {
    const served = await serveArchive(alone, setup, outDir, { inDocuments: true });
    const { replay } = served.workload;
    assert.ok(replay);
    const bare = { ...served.workload, replay: { ...replay, firstScript: null } };
    const client = await resolveClient('best', setup);
    const order = trialOrder({
      folder: tempFolder(alone),
      client,
      server: served.server,
      spkiHash,
      roots: bare.roots,
      host: '',
      workload: bare,
      changes: { protocol: 'h2' },
    });
    const { done, har } = await runTrialWorker(order);
    assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
    assert.deepEqual(toldIn(objectsOf(har)), recorded);
  });
});
