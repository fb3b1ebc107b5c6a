import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

const variables = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/** Variables that name a proxy, for this machine's own names too; the test fails where anything connects to it. */
export async function unusedProxy(t: TestContext): Promise<Record<string, string>> {
  let connections = 0;
  const proxy = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.close();
    assert.equal(connections, 0, 'nothing of a trial goes through a proxy');
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { ...Object.fromEntries(variables.map((name) => [name, address])), no_proxy: '', NO_PROXY: '' };
}
