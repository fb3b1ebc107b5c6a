import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { clientFamilies } from '../../../../harness/trial/client-families.ts';
import { socketsIn } from '../../../../harness/trial/transport-counts.ts';
import { messageOf } from '../../../../src/core/model/errors.ts';

test('a table of the kernel gives connected sockets with the version of the other end’s address', () => {
  const head =
    '  sl  local_address remote_address st tx_queue rx_queue tr tm->when retrnsmt uid timeout inode\n';
  const row = (local: string, remote: string, inode: number): string =>
    `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  0 0 ${inode} 1 0 20 4 1 10 -1\n`;
  const loopback6 = '00000000000000000000000001000000';
  const mapped = '0000000000000000FFFF00000100007F';
  const table = [
    row('0100007F:C001', '0100007F:01BB', 11),
    row('0100007F:1F90', '00000000:0000', 12),
    row(`${loopback6}:C002`, `${loopback6}:01BB`, 13),
    row(`${mapped}:C003`, `${mapped}:01BB`, 14),
  ];
  assert.deepEqual(socketsIn(head + table.join('')), [
    { localPort: 0xc001, remotePort: 443, family: 4, inode: '11' },
    { localPort: 0xc002, remotePort: 443, family: 6, inode: '13' },
    { localPort: 0xc003, remotePort: 443, family: 4, inode: '14' },
  ]);
  assert.deepEqual(socketsIn(''), []);
});

for (const [host, version] of [
  ['127.0.0.1', 4],
  ['::1', 6],
] as const)
  test(`a client’s own sockets to a live address say that it went over IPv${version}`, async (t) => {
    if (version === 6 && !existsSync('/proc/self/net/if_inet6')) return t.skip('this kernel has no IPv6');
    const server = createServer((socket) => socket.on('error', () => undefined));
    server.listen(0, host);
    const why = await once(server, 'listening').then(() => null, messageOf);
    if (why !== null) return t.skip(why);
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const url = `https://${version === 6 ? '[::1]' : host}:${port}/`;
    const live = { remote: { url }, connectTo: [] } as unknown as Parameters<typeof clientFamilies>[1];
    assert.deepEqual(clientFamilies(process.pid, live), []);
    const client = connect(port, host);
    t.after(() => client.destroy());
    await once(client, 'connect');
    assert.deepEqual(clientFamilies(process.pid, live), [version]);
    assert.deepEqual(clientFamilies(0, live), [], 'of another process');
  });
