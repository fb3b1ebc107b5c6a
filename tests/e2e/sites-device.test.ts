import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { writeArchive, type RecordedExchange } from '../../sites/archive/write-archive.ts';
import { deviceNamed } from '../../sites/devices.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { serveArchive } from '../support/served-archive.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';

const host = 'site.test';

/** Tells by a request what the page knows of the device, in the order of `expected`. */
const page = `<!doctype html><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">
<img srcset="/small.svg 300w, /large.svg 1200w" sizes="100vw">
<script>fetch('/told?' + [innerWidth, innerHeight, devicePixelRatio, 'ontouchstart' in window, navigator.maxTouchPoints > 0,
  matchMedia('(pointer: coarse)').matches, /Android.*Mobile/.test(navigator.userAgent)].join('-')).then((a) => a.text())</script>`;

const exchange = (path: string, type: string, body: string, query = ''): RecordedExchange => ({
  entry: {
    host,
    path,
    query,
    range: '',
    method: 'GET',
    startMs: 0,
    status: 200,
    waitMs: 0,
    headers: [['content-type', type]],
  },
  requestBody: null,
  body: Buffer.from(body),
});

test('an archive that was recorded on a phone is shown on it in both browsers, over and over in one profile', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  const device = deviceNamed('Pixel 5');
  const told = [device.width, device.height, device.scale, true, true, true, true].join('-');
  const archive = join(tempFolder(t), 'archive');
  const head = { recordedAt: new Date().toISOString(), recorder: 'test', complete: true, removed: {} };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  await writeArchive(archive, { ...head, urls: [`https://${host}/`], device }, [
    exchange('/', 'text/html', page),
    exchange('/large.svg', 'image/svg+xml', svg),
    exchange('/told', 'text/plain', '', told),
  ]);
  const { workload, server, spkiHash } = await serveArchive(t, setup, archive);
  for (const name of ['chromium', 'firefox']) {
    const client = await resolveClient(name, setup).catch(messageOf);
    if (typeof client === 'string') {
      t.diagnostic(client);
      continue;
    }
    const order = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash,
      workload: { ...workload, view: 'repeat' },
    });
    const { done, har } = await runTrialWorker(order);
    const objects = objectsOf(har);
    assert.equal(done.raw.outcome, 'completed', `${name}: ${JSON.stringify(done.raw)}`);
    assert.ok(objects.includes(`${host}/told?${told}`), `${name}: ${objects.join(' ')}`);
    assert.ok(!objects.includes(`${host}/small.svg`), name);
  }
});
