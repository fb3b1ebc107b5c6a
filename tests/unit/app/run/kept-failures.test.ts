import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WarmUp } from '../../../../src/app/preflight/facts.ts';
import { keptFailures } from '../../../../src/app/run/warm-up.ts';
import { failureFile, failureScreenshotFile } from '../../../../src/core/model/journey-failure.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const warmUpOf = (trialId: string, fault: string | null): WarmUp => ({
  trial: { trialId, client: 'chromium', arm: 'h3', network: 'loopback', server: 'caddy' },
  reached: 'client',
  fault,
  version: '1',
  isUnsupported: false,
});

test('what the page of a journey showed that failed in a warm-up stays with the run, of one that was cut short nothing', (t) => {
  const folder = tempFolder(t);
  const directory = { path: join(folder, 'run') };
  const trialDirOf = (trialId: string): string => join(folder, trialId);
  for (const name of ['cut', 'failed']) {
    mkdirSync(trialDirOf(name));
    for (const file of [failureFile, failureScreenshotFile, 'page.har.gz'])
      writeFileSync(join(trialDirOf(name), file), name);
  }
  const kept = keptFailures(
    [warmUpOf('cut', null), warmUpOf('failed', 'no money')],
    { trialDirOf },
    directory,
  );
  const seenIn = join(directory.path, 'warm-up');
  assert.deepEqual(
    kept.map((warmUp) => warmUp.seenIn),
    [undefined, seenIn],
  );
  assert.deepEqual(readdirSync(seenIn).toSorted(), [failureScreenshotFile, failureFile]);
  assert.deepEqual(keptFailures([warmUpOf('cut', null)], { trialDirOf }, directory)[0]?.seenIn, undefined);
});
