import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTrial } from '../../../../src/analyse/validity/judge-trial.ts';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import { harEntry, harOf, pageEvidence, rawTrial, videoEvidence, videoSession } from '../derive/evidence.ts';

const judge = (evidence: TrialEvidence): ReturnType<typeof judgeTrial> =>
  judgeTrial(evidence, networkObjectsOf(evidence.har));

test('where the network of the machine changed, that is the reason, whatever came of it', () => {
  const entry = harEntry({
    url: 'https://site.test/a.js',
    response: { _error: 'net::ERR_NETWORK_CHANGED' },
  });
  for (const evidence of [
    pageEvidence({ har: harOf([harEntry(), entry]), raw: rawTrial({}) }),
    {
      ...videoEvidence(videoSession({ outcome: 'error', errors: ['a.mpd is not available'] })),
      har: harOf([entry]),
    },
  ]) {
    const { status, reason } = judge(evidence);
    assert.equal(status, 'invalid');
    assert.match(reason ?? '', /interface or an address of this machine came or went.*ERR_NETWORK_CHANGED/);
  }
  const netError = 'net::ERR_NETWORK_CHANGED';
  const error = {
    code: 'process-failed',
    message: `Chrome could not load it: ${netError}`,
    netError,
    stderrTail: 'a line',
  };
  const { status, reasonCode } = judge(
    pageEvidence({ har: harOf([]), raw: rawTrial({ outcome: 'error', error }) }),
  );
  assert.deepEqual([status, reasonCode], ['failed', 'network-changed']);
});
