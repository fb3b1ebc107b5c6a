import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSpecSchema, type NetworkSpec } from '../../../src/model/network-spec.ts';
import { parseArms } from '../../../src/plan/arms.ts';
import { parseFault, planFaults } from '../../../src/plan/faults.ts';

const direction = { rateMbps: 100, queueBytes: 100_000, delayMs: 10 };
const network = networkSpecSchema.parse({
  id: 'path',
  title: 'a path',
  source: 'a test',
  up: direction,
  down: direction,
});
const conditions = [
  { conditionId: 'c00', workload: 'w', client: 'chromium', network: 'path', server: 'caddy' },
];

function faultyNetwork(fault: string, arms = ['h2', 'h3']): NetworkSpec {
  const { networks } = planFaults([fault], parseArms(arms), conditions, [network]);
  assert.ok(networks[0]);
  return networks[0];
}

test('a fault names whom it meets, what it changes and by how much', () => {
  assert.deepEqual(parseFault('chromium@153:h3:connect=+50ms'), {
    target: 'chromium@153:h3',
    quantity: 'connect',
    amount: 50,
    unit: 'ms',
    words: 'connect=+50ms',
  });
  for (const text of ['delay=+20%', 'candidate:delay=20%', 'candidate:rate=-5ms', 'candidate:luck=-1%', ''])
    assert.throws(() => parseFault(text), /no fault that can be injected/, text);
});

test('the faulty arm goes over its own network, which is the same but for the fault', () => {
  const longer = faultyNetwork('candidate:delay=+20%');
  assert.equal(longer.up.delayMs, 12);
  assert.equal(longer.down.delayMs, 12);
  assert.deepEqual(
    { ...longer, id: network.id, title: network.title, up: network.up, down: network.down },
    network,
  );
  const roundTrip = faultyNetwork('candidate:delay=+50ms');
  assert.equal(roundTrip.up.delayMs + roundTrip.down.delayMs, 70);
  assert.equal(faultyNetwork('candidate:rate=-20%').down.rateMbps, 80);
  assert.equal(faultyNetwork('candidate:loss=+1%').up.lossPercent, 1);
  const connect = faultyNetwork('h3:connect=+50ms');
  assert.equal(connect.up.connectDelayMs, 50);
  assert.equal(connect.down.connectDelayMs, undefined);
});

test('the candidate is every arm of the other version, a protocol every arm that speaks it', () => {
  const arms = parseArms(['a@1:h2', 'a@1:h3', 'a@2:h2', 'a@2:h3']);
  const met = (target: string): string[] =>
    planFaults([`${target}:delay=+5%`], arms, conditions, [network]).faults.map(({ arm }) => arm);
  assert.deepEqual(met('candidate'), ['a@2:h2', 'a@2:h3']);
  assert.deepEqual(met('baseline'), ['a@1:h2', 'a@1:h3']);
  assert.deepEqual(met('h3'), ['a@1:h3', 'a@2:h3']);
  assert.deepEqual(met('a@2:h3'), ['a@2:h3']);
  const twice = parseArms(['h3', 'h3']);
  const second = planFaults(['candidate:delay=+5%'], twice, conditions, [network]).faults;
  assert.deepEqual(second, [{ arm: 'h3#2', fault: 'delay=+5%', networks: { path: 'path-fault-h3_2' } }]);
});

test('a fault that no arm can meet, or that the network cannot have, is refused', () => {
  assert.throws(() => faultyNetwork('h1:delay=+20%'), /no arm of this plan/);
  assert.throws(
    () => planFaults(['candidate:delay=+20%'], parseArms(['h2', 'h3']), conditions, []),
    /needs a network with figures/,
  );
  const bare = { ...network, up: { ...network.up, delayMs: 0 }, down: { ...network.down, delayMs: 0 } };
  assert.throws(
    () => planFaults(['candidate:delay=+20%'], parseArms(['h2', 'h3']), conditions, [bare]),
    /would change nothing/,
  );
});

test('of one version against itself the repeated arms are the candidate', () => {
  const arms = parseArms(['a@1:h2', 'a@1:h3', 'a@1:h2', 'a@1:h3']);
  const met = (target: string): string[] =>
    planFaults([`${target}:delay=+5%`], arms, conditions, [network]).faults.map(({ arm }) => arm);
  assert.deepEqual(met('candidate'), ['a@1:h2#2', 'a@1:h3#2']);
  assert.deepEqual(met('baseline'), ['a@1:h2', 'a@1:h3']);
  assert.deepEqual(met('a@1:h3#2'), ['a@1:h3#2']);
});
