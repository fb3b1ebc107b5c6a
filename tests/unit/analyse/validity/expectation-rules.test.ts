import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import {
  expectationFindings,
  expectationWarnings,
} from '../../../../src/analyse/validity/expectation-rules.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import type { ExpectedLoad } from '../../../../src/core/model/expected-load.ts';
import type { HarEntry } from '../../../../src/core/model/har.ts';
import { harEntry, harOf, pageEvidence } from '../derive/evidence.ts';

const request = { method: 'GET', status: 200, isInEveryLoad: true };
const expected: ExpectedLoad = {
  loads: 1,
  isRecorded: true,
  requests: [
    { ...request, url: 'https://site.test/' },
    { ...request, url: 'https://site.test/app.js?v=1' },
    { ...request, url: 'https://site.test/ad-17.png', isInEveryLoad: false },
  ],
};
const app = {} as NonNullable<TrialEvidence['workload']['app']>;
const live = { block: [] } as unknown as NonNullable<TrialEvidence['workload']['live']>;
const page = harEntry();
const script = harEntry({ url: 'https://site.test/app.js?v=2' });

function judged(
  entries: readonly HarEntry[],
  workload: Partial<TrialEvidence['workload']> = {},
  loads = 1,
): { readonly reasons: string; readonly warnings: string } {
  const given = pageEvidence({ har: harOf(entries), expected: { ...expected, loads } });
  const evidence = { ...given, workload: { ...given.workload, ...workload } };
  const objects = networkObjectsOf(evidence.har);
  return {
    reasons: expectationFindings(evidence, objects)
      .map(({ reason }) => reason)
      .join(),
    warnings: expectationWarnings(evidence, objects).join(),
  };
}

test('a load that had all that earlier loads had is as it should be, and may have more and other queries', () => {
  const more = harEntry({ url: 'https://site.test/ad-18.png' });
  assert.deepEqual(judged([page, script, more]), { reasons: '', warnings: '' });
});

test('a request that is missing makes a trial invalid, by its address', () => {
  assert.match(
    judged([page]).reasons,
    /^1 of the requests that earlier loads made are missing: https:\/\/site\.test\/app\.js\?v=1$/,
  );
});

test('of an app two loads must have it before that counts, and of a live page it is told alone', () => {
  assert.equal(judged([page], { app }).reasons, '');
  assert.match(judged([page], { app }).warnings, /not made this time: .*app\.js/);
  assert.match(judged([page], { app }, 2).reasons, /are missing/);
  const ofLive = judged([page], { live }, 3);
  assert.equal(ofLive.reasons, '');
  assert.match(ofLive.warnings, /app\.js/);
});

test('what was answered before and is refused now makes a trial invalid, also where an app may refuse', () => {
  const refused = harEntry({ url: 'https://site.test/app.js?v=1', status: 404 });
  assert.match(
    judged([page, refused], { app }).reasons,
    /app\.js\?v=1 was answered with status 404, and with 200 in an earlier load/,
  );
});

test('what the plan leaves out is not missing', () => {
  const blocking = { route: { hosts: [] }, block: ['/app.js'] } as unknown as typeof app;
  assert.equal(judged([page], { app: blocking }, 2).reasons, '');
});
