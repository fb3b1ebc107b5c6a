import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isOwnNetwork, ownNetwork } from '../../../../src/app/exec/own-network.ts';

test('figures as typed make a network, half of the round trip each way', () => {
  const { up, down } = ownNetwork({ down: '10mbit', up: '800kbit/s', rtt: '80ms', loss: '1.5%' });
  assert.deepEqual([down.rateMbps, down.delayMs, down.lossPercent], [10, 40, 1.5]);
  assert.deepEqual([up.rateMbps, up.delayMs, up.lossPercent], [0.8, 40, 1.5]);
  // 100 ms of 10 Mbit/s, and the least that a queue holds.
  assert.deepEqual([down.queueBytes, up.queueBytes], [125_000, 48_000]);
});

test('what is left out is not limited', () => {
  const { up, down } = ownNetwork({ rtt: '0.6s' });
  assert.deepEqual([up.rateMbps, up.queueBytes, up.delayMs, up.lossPercent], [null, null, 300, 0]);
  assert.deepEqual(down, up);
  assert.deepEqual([isOwnNetwork({}), isOwnNetwork({ loss: '0%' })], [false, true]);
});

test('a schedule is followed by both directions, and stands for figures by itself', () => {
  const { up, down } = ownNetwork({ rtt: '80ms', schedule: 'tunnel.csv' });
  assert.equal(down.scheduleFile, join(process.cwd(), 'tunnel.csv'));
  assert.equal(up.scheduleFile, down.scheduleFile);
  assert.ok(isOwnNetwork({ schedule: 'tunnel.csv' }));
});

test('a figure of another form, or one that no path can have, is refused by its name', () => {
  const refusals = [
    [{ down: '10' }, /--down wants a rate such as 10mbit or 800kbit, got "10"/],
    [{ up: '5MB' }, /--up wants a rate/],
    [{ rtt: '80' }, /--rtt wants a time such as 80ms or 0\.6s, got "80"/],
    [{ loss: '0.01' }, /--loss wants a share of packets such as 1%/],
    [{ loss: '101%' }, /no path can be so: up\.lossPercent/],
    [{ down: '900gbit' }, /no path can be so: down\.rateMbps/],
    [{ up: '0mbit' }, /no path can be so: up\.rateMbps/],
    [{ down: '-5mbit' }, /--down wants a rate/],
    [{ rtt: '121s' }, /no path can be so: up\.delayMs/],
    [{ down: '1gbit', rtt: '4s' }, /down\.delayMs: 166667 packets would be under way/],
  ] as const;
  for (const [figures, message] of refusals)
    assert.throws(() => ownNetwork(figures), { code: 'usage', message });
  assert.throws(() => ownNetwork({ down: '900gbit' }), { next: /Rates go from 1kbit to 10gbit/ });
});
