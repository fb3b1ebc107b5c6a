import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { writeArchive, type RecordedExchange } from '../../sites/archive/write-archive.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { serveArchive } from '../support/served-archive.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runTrialWorker, trialOrder } from '../support/trial-rig.ts';

const dayMs = 24 * 60 * 60_000;
const host = 'site.test';
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

/** A page of which a browser keeps nine images for an hour, by `Expires` and `Date` of the day it was recorded, and asks for itself again. */
async function archiveOf(t: TestContext, recordedEpochMs: number): Promise<string> {
  const archive = join(tempFolder(t), 'archive');
  const date = (ms: number): string => new Date(recordedEpochMs + ms).toUTCString();
  const exchange = (path: string, body: string, headers: [string, string][]): RecordedExchange => ({
    entry: {
      host,
      path,
      query: '',
      range: '',
      method: 'GET',
      startMs: 0,
      status: 200,
      waitMs: 0,
      headers: [['date', date(0)], ...headers],
    },
    requestBody: null,
    body: Buffer.from(body),
  });
  const page = `<!DOCTYPE html><link rel="icon" href="data:,">${names.map((name) => `<img src="/${name}.svg">`).join('')}`;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  await writeArchive(
    archive,
    {
      urls: [`https://${host}/`],
      recordedAt: new Date(recordedEpochMs).toISOString(),
      recorder: 'test',
      complete: true,
      removed: {},
    },
    [
      exchange('/', page, [
        ['content-type', 'text/html'],
        ['cache-control', 'no-cache'],
        ['last-modified', date(-dayMs)],
      ]),
      ...names.map((name) =>
        exchange(`/${name}.svg`, svg, [
          ['content-type', 'image/svg+xml'],
          ['expires', date(dayMs / 24)],
        ]),
      ),
    ],
  );
  return archive;
}

test('a second visit to a recording of two days ago has in its cache what one of today has', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  const client = await resolveClient('best', setup);
  const cachedAndAsked: unknown[] = [];
  for (const ageMs of [0, 2 * dayMs]) {
    const archive = await archiveOf(t, Date.now() - ageMs);
    const { workload, server, spkiHash } = await serveArchive(t, setup, archive);
    const visited = { ...workload, view: 'repeat' as const };
    const order = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash,
      workload: visited,
    });
    const { done, har } = await runTrialWorker(order);
    const raw = { ...done.raw, serverLog: null };
    const { metrics } = await deriveTrial({
      protocol: 'h2' as const,
      workload: visited,
      raw,
      har,
      frameImages: [],
    });
    cachedAndAsked.push([metrics.cachedObjectCount, metrics.objectCount]);
  }
  assert.deepEqual(cachedAndAsked, [
    [names.length, 1],
    [names.length, 1],
  ]);
});
