import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nicAt, nicTowards, parseLink } from '../../../../harness/hosts/nic.ts';
import { nicSchema, nicWords } from '../../../../src/core/model/environment.ts';

test('a device is read from a line of ip, and what it does not say is not known', () => {
  const line =
    '2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP mode DEFAULT group default qlen 1000';
  assert.deepEqual(parseLink(line), { mtuBytes: 1500, queueing: 'fq_codel' });
  assert.deepEqual(parseLink(''), { mtuBytes: null, queueing: null });
});

test('what this machine has at its loopback is known, and at an address of another nothing', async () => {
  const nic = await nicAt('127.0.0.1');
  assert.equal(nic?.device, 'lo');
  assert.equal(nicSchema.safeParse(nic).success, true);
  assert.equal((await nicTowards('127.0.0.9'))?.device, 'lo');
  assert.equal(await nicAt('192.0.2.1'), undefined);
});

test('a device of another machine is named in words, and one that is no name of a device is refused', () => {
  const nic = {
    device: 'eth0',
    mtuBytes: 1500,
    speedMbps: 1000,
    queueing: 'mq',
    offloads: { tso: true, gro: false },
    receiveBufferBytes: 212_992,
  };
  assert.equal(nicWords(nic), 'eth0, 1000 Mbit/s, MTU 1500, mq, tso on, gro off, net.core.rmem_max 212992');
  const bare = { ...nic, mtuBytes: null, speedMbps: null, queueing: null, receiveBufferBytes: null };
  assert.equal(nicWords({ ...bare, offloads: null }), 'eth0, offloads unknown without ethtool');
  for (const device of ['', 'eth0\u001b[2J', 'a'.repeat(100)])
    assert.equal(nicSchema.safeParse({ ...nic, device }).success, false, device);
});
