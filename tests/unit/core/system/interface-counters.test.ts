import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTowards } from '../../../../src/core/system/interface-counters.ts';

/** As `/proc/net/route` has it, where a number's first byte is the address's last. */
const routes = [
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
  'eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0',
  'cable\t0002000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
  'down\t0702000A\t00000000\t0000\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
  '',
].join('\n');
const linkOf = (address: string, text = routes): string | null => linkTowards(address, () => text);

test('packets leave by the longest route that is up', () => {
  assert.equal(linkOf('10.0.2.7'), 'cable');
  assert.equal(linkOf('10.0.3.7'), 'eth0');
  assert.equal(linkOf('198.51.100.9'), 'eth0');
  assert.equal(linkOf('198.51.100.9', routes.replace(/^eth0.*\n/m, '')), null);
});

test('what is this machine itself is reached over its loopback', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) assert.equal(linkOf(address), 'lo');
});
