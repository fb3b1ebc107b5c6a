import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUdpSockets } from '../../../../harness/probes/sockets.ts';

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops';
const line =
  ' 2421: 0200A8C0:D431 0100A8C0:01BB 01 00000000:0000A000 00:00000000 00000000     0        0 778899 2 000000001b2c 389';

test('what waits in a socket and what was dropped there is read from the table of the kernel', () => {
  assert.deepEqual(parseUdpSockets(`${header}\n${line}\n`, 5), [
    { tMs: 5, socket: '778899', localPort: 54_321, waitingBytes: 40_960, drops: 389 },
  ]);
  assert.deepEqual(parseUdpSockets('', 5), []);
  assert.deepEqual(parseUdpSockets(`${header}\n`, 5), []);
});
