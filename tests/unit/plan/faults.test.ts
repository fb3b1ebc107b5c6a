import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOffsetMs, tracesOf } from '../../../harness/network/path-traces.ts';
import { eachSecondMbps } from '../../../harness/network/traces/trace.ts';
import { networkSpecSchema, type NetworkSpec } from '../../../src/core/model/network-spec.ts';
import { chunkDelayIn, heldFolder, parseFaults, readHeldPath } from '../../../src/core/model/fault.ts';
import type { Arm } from '../../../src/core/model/plan.ts';
import { parseArms } from '../../../src/plan/arms.ts';
import { faultyNetworks, withFaults } from '../../../src/plan/faults.ts';

const direction = { rateMbps: 100, queueBytes: 100_000, delayMs: 10 };
const network = networkSpecSchema.parse({
  id: 'path',
  title: 'a path',
  source: 'a test',
  up: direction,
  down: direction,
});
function faultyNetwork(fault: string, arms = ['h2', 'h3']): NetworkSpec {
  const { networks } = faultyNetworks(withFaults([fault], parseArms(arms)), ['path'], [network]);
  assert.ok(networks[0]);
  return networks[0];
}

/** Labels of the arms that meet a fault. */
function met(target: string, arms: readonly Arm[]): string[] {
  return withFaults([`${target}:delay=+5%`], arms)
    .filter(({ factors }) => factors.fault === 'delay=+5%')
    .map(({ label }) => label);
}

test('a fault names what it changes and by how much', () => {
  assert.deepEqual(parseFaults('connect=+50ms,loss=+1%'), [
    { quantity: 'connect', amount: 50, unit: 'ms' },
    { quantity: 'loss', amount: 1, unit: '%' },
  ]);
  for (const text of ['delay=+20%', 'candidate:delay=20%', 'candidate:rate=-5ms', 'candidate:luck=-1%', ''])
    assert.throws(() => withFaults([text], parseArms(['h2', 'h3'])), /no fault that can be injected/, text);
});

test('chunks that are held back change no network, and their addresses say which are', () => {
  const arms = withFaults(['h3:chunkdelay=1500ms/5'], parseArms(['h2', 'h3']));
  assert.deepEqual(
    arms.map(({ factors }) => factors.fault),
    [undefined, 'chunkdelay=1500ms/5'],
  );
  assert.deepEqual(faultyNetworks(arms, ['loopback'], []), { standIns: [], networks: [] });
  const held = chunkDelayIn('loss=+1%,chunkdelay=1500ms/5') ?? assert.fail();
  assert.deepEqual(held, { quantity: 'chunkdelay', delayMs: 1500, every: 5 });
  assert.equal(chunkDelayIn('loss=+1%'), undefined);
  assert.deepEqual(readHeldPath(`/${heldFolder(held)}/film/1000k/00005.m4s`), {
    path: '/film/1000k/00005.m4s',
    held: { delayMs: 1500, every: 5 },
  });
  assert.deepEqual(readHeldPath('/film/held-1ms-1/00005.m4s').held, null);
  for (const text of ['chunkdelay=1500ms', 'chunkdelay=0ms/5', 'chunkdelay=1500ms/0', 'chunkdelay=60001ms/1'])
    assert.throws(() => parseFaults(text), /no fault that can be injected/, text);
  assert.throws(
    () => withFaults(['h3:chunkdelay=1ms/1', 'candidate:chunkdelay=2ms/2'], parseArms(['h2', 'h3'])),
    /holds chunks back twice/,
  );
});

test('a link that is worse and chunks that are held back can be one fault', () => {
  const { up, title } = faultyNetwork('h3:loss=+1%,chunkdelay=1500ms/5');
  assert.equal(up.lossPercent, 1);
  assert.match(title, /loss=\+1%,chunkdelay=1500ms\/5/);
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

test('a lower rate on a path whose rate varies multiplies every second of its course, and leaves where a block begins', async () => {
  const trace = {
    format: 'generated',
    generator: '4g-walking',
    durationSeconds: 60,
    scale: 0.5,
    capMbps: 20,
  };
  const varying = { queueBytes: 100_000, delayMs: 10, trace };
  const mobile = networkSpecSchema.parse({ ...network, up: varying, down: varying });
  const { networks } = faultyNetworks(
    withFaults(['h3:rate=-40%'], parseArms(['h2', 'h3'])),
    ['path'],
    [mobile],
  );
  assert.ok(networks[0]);
  const whole = await tracesOf(mobile);
  const lower = await tracesOf(networks[0]);
  assert.ok(whole.down && lower.down);
  const rates = eachSecondMbps(whole.down, 0, 60);
  eachSecondMbps(lower.down, 0, 60).forEach((mbps, second) => {
    // Generated rates are rounded to 0.1 Mbit/s.
    assert.ok(Math.abs(mbps - 0.6 * (rates[second] ?? 0)) < 0.12, `second ${second}`);
  });
  assert.ok(Math.max(...rates) > 10);
  assert.equal(traceOffsetMs(lower, 7), traceOffsetMs(whole, 7));
});

test('a rate of no figures, or of a file, cannot be changed', () => {
  const file = { queueBytes: 100_000, trace: { format: 'mahimahi', file: 'down.trace' } };
  for (const direction of [{}, file]) {
    const spec = networkSpecSchema.parse({ ...network, up: direction, down: direction });
    assert.throws(
      () => faultyNetworks(withFaults(['h3:rate=-40%'], parseArms(['h2', 'h3'])), ['path'], [spec]),
      /has no rate that could be changed/,
    );
  }
});

test('the candidate is every arm of the other version, a protocol every arm that speaks it', () => {
  const arms = parseArms(['a@1:h2', 'a@1:h3', 'a@2:h2', 'a@2:h3']);
  assert.deepEqual(met('candidate', arms), ['a@2:h2', 'a@2:h3']);
  assert.deepEqual(met('baseline', arms), ['a@1:h2', 'a@1:h3']);
  assert.deepEqual(met('h3', arms), ['a@1:h3', 'a@2:h3']);
  assert.deepEqual(met('a@2:h3', arms), ['a@2:h3']);
  for (const factor of ['server=nginx', 'player=dashjs'])
    assert.deepEqual(
      met('candidate', parseArms([`h2+${factor}@4`, `h3+${factor}@4`, `h2+${factor}@5`, `h3+${factor}@5`])),
      [`h2+${factor}@5`, `h3+${factor}@5`],
    );
  assert.deepEqual(met('candidate', parseArms(['h3', 'h3'])), ['h3#2']);
});

test('a fault that no arm can meet, or that the network cannot have, is refused', () => {
  assert.throws(() => faultyNetwork('h1:delay=+20%'), /no arm of this plan/);
  assert.throws(
    () => faultyNetworks(parseArms(['h3+fault=delay=+20%']), ['path'], []),
    /needs a network with figures/,
  );
  const bare = { ...network, up: { ...network.up, delayMs: 0 }, down: { ...network.down, delayMs: 0 } };
  assert.throws(
    () => faultyNetworks(parseArms(['h3+fault=delay=+20%']), ['path'], [bare]),
    /would change nothing/,
  );
});

test('of one version against itself the repeated arms are the candidate', () => {
  const arms = parseArms(['a@1:h2', 'a@1:h3', 'a@1:h2', 'a@1:h3']);
  assert.deepEqual(met('candidate', arms), ['a@1:h2#2', 'a@1:h3#2']);
  assert.deepEqual(met('baseline', arms), ['a@1:h2', 'a@1:h3']);
  assert.deepEqual(met('a@1:h3#2', arms), ['a@1:h3#2']);
});

test('of two builds the candidate is the one in question, over each protocol, and the baseline the other', () => {
  const arms = parseArms(['h2+app=baseline', 'h3+app=baseline', 'h2+app=candidate', 'h3+app=candidate']);
  assert.deepEqual(met('candidate', arms), ['h2+app=candidate', 'h3+app=candidate']);
  assert.deepEqual(met('baseline', arms), ['h2+app=baseline', 'h3+app=baseline']);
});
