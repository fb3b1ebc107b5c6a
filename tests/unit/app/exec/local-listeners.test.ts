import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { requireListeners, unledWords } from '../../../../src/app/exec/local-listeners.ts';
import { ownPortsIn } from '../../../../src/app/exec/own-ports.ts';
import { withoutWorld } from '../../../../src/app/exec/world.ts';

/** A port of this host's at which a server listens until the test ends. */
async function listeningAt(t: TestContext, host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a port at which nothing listens is refused, and none at which a server is reached over TCP or UDP', async (t) => {
  const served = await listeningAt(t, '127.0.0.1');
  // The relay goes on to ::1 where nothing answers at 127.0.0.1.
  const overV6 = await listeningAt(t, '::1');
  const datagrams = createSocket('udp4');
  t.after(() => datagrams.close());
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  await requireListeners([served, overV6, datagrams.address().port]);
  await assert.rejects(requireListeners([served, port]), {
    code: 'unsupported',
    message: `nothing listens at localhost:${port}`,
  });
});

test('a server of this machine that a command names is said not to be across the network, until its port is led there', async (t) => {
  const port = await listeningAt(t, '127.0.0.1');
  const command = ['curl', `http://localhost:${port}/a`, `http://127.0.0.1:${port}/b`];
  const [said = '', ...more] = await unledWords({ command, localPorts: [] });
  assert.match(said, new RegExp(`localhost:${port} of this machine is not across .*Add --local ${port}$`));
  assert.deepEqual(more, []);
  assert.deepEqual(await unledWords({ command, localPorts: [port] }), []);
  // The command may start it at its own end.
  const later = ['sh', '-c', 'serve & curl http://localhost:1/'];
  assert.deepEqual(await unledWords({ command: later, localPorts: [] }), []);
});

test('servers of this machine are found in the words of a command, and others are not', () => {
  const words = ['-H', 'Host: shop.example', 'http://localhost:3000/', '[::1]:3001', 'x=127.0.0.1:3000'];
  assert.deepEqual(ownPortsIn(words), [3000, 3001]);
  assert.deepEqual(
    ownPortsIn(['http://my-localhost:80/', 'localhost:99999', 'localhost', '10.0.0.1:80']),
    [],
  );
});

test('where nothing beyond this machine is reached --local is the answer for a server of it, and named before --no-outside', () => {
  assert.equal(
    withoutWorld(['curl', 'http://localhost:3000/']),
    'or add --local 3000 for the server of this machine that the command names, or --no-outside where it asks none',
  );
  assert.match(withoutWorld(['npx', 'playwright', 'test']), /^or add --local PORT .*, or --no-outside/);
});
