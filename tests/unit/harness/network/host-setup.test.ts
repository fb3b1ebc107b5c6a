import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hostScript,
  keepInOrder,
  linkPlace,
  type HostSetup,
} from '../../../../harness/network/host-setup.ts';

test('packets of a device are taken in by the first CPU of their receiver', () => {
  const maskOf = (cpus?: string | null): string | undefined =>
    /echo (\S+) > \/sys\/class\/net\/dev0\/queues/.exec(keepInOrder('dev0', cpus).join('\n'))?.[1];
  assert.equal(maskOf(), '1');
  assert.equal(maskOf(null), '1');
  assert.equal(maskOf('1'), '2');
  assert.equal(maskOf('2-3'), '4');
  assert.equal(maskOf('31'), '80000000');
  assert.equal(maskOf('40-63'), '100,00000000', 'words of 32 CPUs');
});

const setup: HostSetup = {
  deviceName: 'dev0',
  address: '198.18.0.1',
  peerAddress: '198.18.0.2',
  spare: { address: '198.18.0.3', of: 'this end' },
  hostsFile: '/hosts',
  tcpCongestionControl: null,
  deviceCommands: [],
};

test('an end has no IPv6 unless it is given addresses, and then no packets of its own', () => {
  const without = hostScript(setup);
  assert.match(without, /ipv6\/conf\/all\/disable_ipv6 '1'/);
  assert.doesNotMatch(without, /2001|\/64/);
  const { v6 } = linkPlace(17);
  const script = hostScript({ ...setup, v6Addresses: [v6.nearAddress, v6.spareAddress] });
  assert.match(script, /ipv6\/conf\/all\/disable_ipv6 '0'/);
  assert.match(
    script,
    /ip address add 2001:2:0:11::1\/64 dev dev0 nodad\nip address add 2001:2:0:11::3\/64 dev dev0 nodad/,
  );
  for (const name of ['accept_ra', 'router_solicitations', 'addr_gen_mode'])
    assert.ok(script.indexOf(`ipv6/conf/dev0/${name}`) < script.indexOf('ip link set dev dev0'), name);
});
