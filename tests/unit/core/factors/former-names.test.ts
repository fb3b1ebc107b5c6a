import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorsOfLabel } from '../../../../src/core/factors/arm-text.ts';
import {
  currentName,
  formerNamesNotice,
  withCurrentNames,
  withCurrentNamesOf,
} from '../../../../src/core/factors/former-names.ts';
import { factorNamed, factorNames } from '../../../../src/core/factors/registry.ts';
import { parsePlanDocument } from '../../../../src/plan/parse-plan-file.ts';

const former = ['beside', 'rivals', 'handover'];

test('a name of before is that of a factor of today, and of no other', () => {
  for (const name of former) {
    assert.ok(factorNamed(currentName(name)), name);
    assert.equal(factorNamed(name), undefined, name);
  }
  for (const name of [...factorNames, 'toString', '__proto__']) assert.equal(currentName(name), name);
});

test('names are mended where factors are set and in arms, and nowhere else', () => {
  const { value, former: found } = withCurrentNames({
    set: { beside: 'call' },
    arms: ['h2+rivals=4', { protocol: 'h3', handover: '2mb' }],
    compare: [['h2', 'chromium:h3+handover=2mb-restart+mtu=1400']],
    customNetworks: { handover: { up: { rateMbps: 1 } } },
    note: 'rivals=4 beside=that',
  });
  assert.deepEqual(value, {
    set: { crosstraffic: 'call' },
    arms: ['h2+competingflows=4', { protocol: 'h3', migration: '2mb' }],
    compare: [['h2', 'chromium:h3+migration=2mb-restart+mtu=1400']],
    customNetworks: { handover: { up: { rateMbps: 1 } } },
    note: 'rivals=4 beside=that',
  });
  assert.deepEqual(found.toSorted(), former.toSorted());
});

test('fields are mended where they belong, and nowhere else', () => {
  const { value, former: found } = withCurrentNames({
    looks: [6, 8],
    plannedLooks: [6],
    scales: { quick: { looks: [6] } },
    workloads: [{ id: 'v', honours: ['player'] }],
    diagnosis: [{ flameGraphs: [{ leastShare: 0.005 }] }],
    besideRealPages: [],
    pagesBeside: true,
    customNetworks: { looks: { honours: 1 } },
    set: { looks: '1' },
    evidence: 'all',
    trials: [{ watch: 'bare' }, { watch: 'evidence' }],
    causes: [{ evidence: 'all of it', watch: 'dog' }],
    watching: { bareBlocks: 8, evidenceBlocks: 1 },
    comparisons: [{ watch: 'bare', watching: { ratio: 1 } }],
    diagnoses: [{ bare: { differenceMs: 1 } }],
  });
  assert.deepEqual(value, {
    interims: [6, 8],
    plannedInterims: [6],
    scales: { quick: { interims: [6] } },
    workloads: [{ id: 'v', applies: ['player'] }],
    diagnosis: [{ flameGraphs: [{ minShare: 0.005 }] }],
    realPages: [],
    pagesWithoutScript: true,
    customNetworks: { looks: { honours: 1 } },
    set: { looks: '1' },
    recordedBlocks: 'all',
    trials: [{ instrumentation: 'uninstrumented' }, { instrumentation: 'instrumented' }],
    causes: [{ evidence: 'all of it', watch: 'dog' }],
    instrumentationOverhead: { timedBlocks: 8, recordedBlocks: 1 },
    comparisons: [{ instrumentation: 'uninstrumented', instrumentationOverhead: { ratio: 1 } }],
    diagnoses: [{ timed: { differenceMs: 1 } }],
  });
  const fields = ['looks', 'plannedLooks', 'honours', 'leastShare', 'besideRealPages', 'pagesBeside'];
  assert.deepEqual(found, [
    ...fields,
    'evidence',
    'watch',
    'watching',
    'bareBlocks',
    'evidenceBlocks',
    'bare',
  ]);
});

test('a label of before names the same factors', () => {
  assert.deepEqual(factorsOfLabel('h2+beside=download'), factorsOfLabel('h2+crosstraffic=download'));
});

test('a text without a name of before is not gone through', () => {
  const value = { set: { mtu: '1400' } };
  assert.equal(withCurrentNamesOf(JSON.stringify(value), value).value, value);
});

test('a plan file of before says the same, with the names that it had', () => {
  const { plan, formerNames } = parsePlanDocument(
    'workloads: [download-1mb]\nlooks: [6, 8]\nset:\n  beside: download\narms: [h2, h2+rivals=2]\n',
    'plan.yaml',
  );
  assert.deepEqual(plan.interims, [6, 8]);
  assert.deepEqual(plan.set, { crosstraffic: 'download' });
  assert.deepEqual(plan.arms, ['h2', 'h2+competingflows=2']);
  assert.deepEqual(formerNames, ['looks', 'beside', 'rivals']);
  assert.deepEqual(formerNamesNotice(formerNames.slice(0, 2)), [
    'Some names are new: looks is now interims, beside is now crosstraffic. The old names are still read.',
  ]);
  assert.deepEqual(formerNamesNotice([]), []);
});
