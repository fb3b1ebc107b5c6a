import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplayLedger } from '../../../../src/core/model/raw-trial.ts';
import type { Replay } from '../../../../src/core/model/workload.ts';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import { missFindings } from '../../../../src/analyse/validity/miss-rules.ts';
import type { Har, HarEntry } from '../../../../src/core/model/har.ts';

const limits: Replay = {
  ports: [443],
  essentialMisses: 0,
  missShare: 0.02,
  inexactShare: 0.1,
  firstScript: null,
  expectedFailures: [],
  deadHosts: [],
};

function ledger(answered: number, ...misses: [url: string, destination: string][]): ReplayLedger {
  return {
    answered: { exact: answered },
    inexact: [],
    misses: misses.map(([url, destination]) => ({ method: 'GET', url, destination, atEpochMs: 1 })),
  };
}

/** An object that never reached any server. */
function lost(url: string, type: string): Har {
  const entry = {
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 1,
    request: { method: 'GET', url },
    response: { status: 0, httpVersion: '', _error: 'net::ERR_NAME_NOT_RESOLVED' },
    _resourceType: type,
  } as unknown as HarEntry;
  return { log: { version: '1.2', creator: { name: '', version: '' }, pages: [], entries: [entry] } };
}

test('one missing script makes a trial invalid, one missing beacon of a hundred does not', () => {
  const [finding] = missFindings(limits, ledger(99, ['https://a.test/x.js', 'script']), []);
  assert.match(finding?.reason ?? '', /1 request for HTML.*https:\/\/a\.test\/x\.js/);
  assert.deepEqual(missFindings(limits, ledger(99, ['https://a.test/beacon', 'empty']), []), []);
});

test('more than the allowed share is too much of anything, and limits can be set', () => {
  const three = ledger(97, ['https://a.test/1', ''], ['https://a.test/2', ''], ['https://a.test/3', 'empty']);
  assert.match(missFindings(limits, three, [])[0]?.reason ?? '', /3\.0 % .*allowed: 2\.0 %/);
  assert.deepEqual(missFindings({ ...limits, missShare: 0.03 }, three, []), []);
  const style: [string, string] = ['https://a.test/x.css', 'style'];
  assert.deepEqual(missFindings({ ...limits, essentialMisses: 1 }, ledger(99, style), []), []);
});

test('answers that were made for another browser are those that were recorded', () => {
  const made = (found: 'other-browser' | 'after-last'): ReplayLedger => ({
    answered: { exact: 1, [found]: 9 },
    inexact: [{ method: 'GET', url: 'https://a.test/', destination: 'document', atEpochMs: 1, found }],
    misses: [],
  });
  assert.deepEqual(missFindings(limits, made('other-browser'), []), []);
  assert.match(missFindings(limits, made('after-last'), [])[0]?.reason ?? '', /90\.0 % .*not exactly theirs/);
});

test('a request to a host that is not in the archive is a miss, though no origin saw it', () => {
  const objects = networkObjectsOf(lost('https://elsewhere.test/pixel.png', 'image'));
  assert.match(
    missFindings(limits, ledger(500), objects)[0]?.reason ?? '',
    /elsewhere\.test\/pixel\.png: net::ERR_NAME/,
  );
  const icon = networkObjectsOf(lost('https://elsewhere.test/favicon.ico', 'image'));
  assert.deepEqual(missFindings(limits, ledger(500), icon), [], 'what browsers ask for by themselves');
});

test('a web socket that was recorded as lacking is an answer that is not exact, once however often it is tried again', () => {
  const refused = (...urls: string[]): ReplayLedger => ({
    answered: { exact: 5, lacking: urls.length },
    inexact: urls.map((url) => ({ method: 'GET', url, destination: '', atEpochMs: 1, found: 'lacking' })),
    misses: [],
  });
  const reasonOf = (...urls: string[]): string | undefined =>
    missFindings(limits, refused(...urls), [])[0]?.reason;
  const once = reasonOf('https://a.test/live');
  assert.match(once ?? '', /16\.7 % .*not exactly theirs.*a\.test\/live/);
  assert.equal(reasonOf('https://a.test/live', 'https://a.test/live')?.slice(0, 6), once?.slice(0, 6));
  assert.match(reasonOf('https://a.test/live', 'https://a.test/other') ?? '', /28\.6 % /);
  assert.deepEqual(missFindings({ ...limits, inexactShare: 0.17 }, refused('https://a.test/live'), []), []);
});

test('without a ledger nothing is known', () => {
  assert.match(missFindings(limits, undefined, [])[0]?.reason ?? '', /no ledger/);
});
