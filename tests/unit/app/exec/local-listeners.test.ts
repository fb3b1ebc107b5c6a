import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { listenerWords } from '../../../../src/app/exec/local-listeners.ts';

/** A port of this host's at which a server listens until the test ends. */
async function listeningAt(t: TestContext, host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a port is named at which nothing listens, or only where no path leads', async (t) => {
  const served = await listeningAt(t, '127.0.0.1');
  const elsewhere = await listeningAt(t, '::1');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  assert.deepEqual(await listenerWords([served]), []);
  const said = await listenerWords([served, port, elsewhere]);
  assert.equal(said.length, 2);
  assert.match(said[0] ?? '', new RegExp(`^nothing listens at localhost:${port} over TCP yet`));
  assert.match(said[1] ?? '', new RegExp(`localhost:${elsewhere} listens on ::1 alone`));
});
