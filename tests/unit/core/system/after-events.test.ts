import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { afterEvents } from '../../../../src/core/system/after-events.ts';

const limitMs = 20;

test('what arrived in time is taken before a limit, also where the process had no CPU until both were due', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    client.destroy();
    server.close();
  });
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    [Socket],
    unknown,
  ];
  const order: string[] = [];
  socket.on('data', () => order.push('answer'));
  client.write('here');
  const isOver = new Promise<void>((resolve) =>
    afterEvents(limitMs, () => {
      order.push('limit');
      resolve();
    }),
  );
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * limitMs);
  await isOver;
  assert.deepEqual(order, ['answer', 'limit']);
});

test('a limit that is taken back is over for good', async () => {
  let isCalled = false;
  const call = (): void => void (isCalled = true);
  const takeBack = afterEvents(0, call);
  // Between its timer and the call itself.
  await new Promise<void>((resolve) =>
    setTimeout(() => {
      takeBack();
      resolve();
    }, 0),
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isCalled, false);
});
