import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import type { TrialEvidence } from '../../src/core/model/derive.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { openRunDirectory } from '../../src/store/run-directory.ts';
import { join } from 'node:path';
import { skipsWithout } from '../support/clients-here.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

for (const client of ['best', 'firefox']) {
  test(`an H3 arm in which ${client} fell back to H2 is invalid, the object named`, async (t) => {
    if (await skipsWithout(t, client)) return;
    const out = join(tempFolder(t), 'run');
    // Nothing is forced in arm `auto`: a cold browser asks over TCP first. Judged as an H3 arm that is a fall-back.
    const { code, stderr } = await runCli([
      'run',
      '--workload',
      'page-landing',
      '--client',
      client,
      '--arms',
      'auto',
      '--repetitions',
      '1',
      // Of a recorded trial `chromium-trial.test.ts` tells the same.
      '--recorded',
      '0',
      '--exploratory',
      '--quick-start',
      '--out',
      out,
    ]);
    assert.equal(code, 0, stderr);
    const directory = openRunDirectory(out);
    const [record] = directory.journal().records;
    assert.ok((record?.metrics.protocolShare?.['h2'] ?? 0) > 0, 'the browser used H2 for something');
    const evidence: TrialEvidence = {
      ...readEvidence(directory.trialDir(record?.trialId ?? '')),
      protocol: 'h3',
    };
    const derived = await deriveTrial(evidence);
    assert.equal(derived.status, 'invalid');
    assert.match(derived.reason ?? '', /https:\/\/\S+.*h2/);
  });
}
