import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nicAt, nicTowards, parseLink, parseSending } from '../../../../harness/hosts/nic.ts';
import { nicSchema, nicWords, sendingWords } from '../../../../src/core/model/nic.ts';

test('a device is read from a line of ip, and what it does not say is not known', () => {
  const line =
    '2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP mode DEFAULT group default qlen 1000';
  assert.deepEqual(parseLink(line), { mtuBytes: 1500, queueing: 'fq_codel' });
  assert.deepEqual(parseLink(''), { mtuBytes: null, queueing: null });
});

test('what this machine has at its loopback is known, and at an address of another nothing', async () => {
  const nic = await nicAt('127.0.0.1', '127.0.0.9');
  assert.equal(nic?.device, 'lo');
  assert.equal(nicSchema.safeParse(nic).success, true);
  assert.match(nic?.sending?.tcpCongestionControl ?? '', /^[\w-]+$/);
  assert.ok((nic?.sending?.tcpSendBufferBytes ?? 0) > 0, JSON.stringify(nic));
  assert.equal((await nicTowards('127.0.0.9'))?.device, 'lo');
  assert.equal(await nicAt('192.0.2.1', '127.0.0.9'), undefined);
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

test('what sends uploads is read from the kernel and the route, and what neither says is not known', () => {
  const settings: Readonly<Record<string, string>> = {
    'ipv4/tcp_congestion_control': 'bbr',
    'ipv4/tcp_wmem': '4096\t16384\t4194304',
    'ipv4/tcp_rmem': '4096\t131072\t6291456',
    'ipv4/tcp_slow_start_after_idle': '0',
    'core/wmem_max': '212992',
  };
  const route = '10.0.0.2 dev eth0 src 10.0.0.1 uid 0 \\    cache initcwnd 32 ';
  const sending = parseSending((name) => settings[name] ?? null, route);
  assert.deepEqual(sending, {
    tcpCongestionControl: 'bbr',
    initialWindowPackets: 32,
    tcpSendBufferBytes: 4_194_304,
    tcpReceiveBufferBytes: 6_291_456,
    sendBufferBytes: 212_992,
    slowStartAfterIdle: 'off',
  });
  assert.equal(
    sendingWords(sending),
    'TCP bbr, an initial window of 32 packets, tcp_wmem 4194304, tcp_rmem 6291456, net.core.wmem_max 212992, slow start after idle off',
  );
  const unknown = parseSending(() => null, '10.0.0.2 dev eth0 src 10.0.0.1 uid 0');
  assert.deepEqual([...new Set(Object.values(unknown))], [null]);
  assert.equal(sendingWords(unknown), 'TCP with an unknown congestion control, the kernel’s initial window');
  assert.equal(parseSending(() => 'cubic\u001b[2J', '').tcpCongestionControl, null);
});
