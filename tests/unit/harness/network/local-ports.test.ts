import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitingIn } from '../../../../harness/network/listening-sockets.ts';
import { nearScript, sudoStep } from '../../../../harness/network/local-ports.ts';

test('the ports that are named lead across the path, before the kernel’s own rule for local addresses', () => {
  const lines = nearScript([3000, 8443]).split('\n');
  const at = (part: string): number => lines.findIndex((line) => line.includes(part));
  assert.equal(lines.filter((line) => line.includes('lookup 100')).length, 4);
  assert.ok(at('udp dport 8443 lookup 100') > 0);
  // Between the two the namespace would know no address of its own.
  assert.ok(at('pref 32000 lookup local') < at('rule del pref 0'));
});

test('sockets that wait for others are read by their state', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1',
    '   1: 0100007F:1F90 0100007F:D2C4 01 00000000:00000000 00:00000000 00000000     0        0 4712 1',
    '',
  ].join('\n');
  assert.deepEqual(waitingIn(table, '0A'), ['4711']);
  assert.deepEqual(waitingIn('', '0A'), []);
});

test('where sudo alone makes namespaces, the next step is the command that opens them to the user', () => {
  assert.equal(sudoStep(null), 'Run the command as root.');
  assert.equal(
    sudoStep('sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'),
    'Open user namespaces until the next start: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. Or run the command as root.',
  );
});
