import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatagramCount, datagram, readDatagram } from '../../../../harness/hosts/datagrams.ts';
import { datagramNotes, described } from '../../../../harness/hosts/far-link.ts';
import { listenForMeasurement } from '../../../../harness/hosts/link-listener.ts';
import { measureEchoes, measureLink } from '../../../../harness/hosts/link-measurement.ts';
import { choosePort } from '../../../../src/core/system/free-port.ts';

const token = '0123456789abcdef0123456789abcdef';
const address = '127.0.0.1';

test('a link is measured both ways over TCP and UDP, and the port is free again afterwards', async () => {
  const port = await choosePort(undefined);
  for (let turn = 0; turn < 2; turn++) {
    const listener = await listenForMeasurement({ address, port, token });
    const { roundTripMs, upMbps, downMbps, routers, udp } = await measureLink({ address, port, token });
    await listener.close();
    assert.ok(roundTripMs > 0 && roundTripMs < 1000, `${roundTripMs} ms`);
    assert.equal(routers, 0);
    assert.ok(upMbps > 10 && downMbps > 10, `${upMbps} and ${downMbps} Mbit/s`);
    assert.ok(udp !== undefined && udp.roundTripMs > 0 && udp.askedMbps <= 100, JSON.stringify(udp));
    for (const { mbps, lossPercent } of [udp.up, udp.down]) {
      assert.ok(mbps > 1 && mbps < 200, `${mbps} Mbit/s`);
      assert.ok(lossPercent < 50, `${lossPercent} %`);
    }
  }
});

test('a stranger gets no answer over TCP or UDP', async () => {
  const port = await choosePort(undefined);
  const listener = await listenForMeasurement({ address, port, token });
  const stranger = connect({ host: address, port });
  await once(stranger, 'connect');
  stranger.write('GET / HTTP/1.1\r\n\r\n');
  await once(stranger, 'close');
  assert.equal(stranger.bytesRead, 0);
  const socket = createSocket('udp4');
  let answers = 0;
  socket.on('message', () => answers++);
  for (const kind of ['ping', 'ask'] as const)
    socket.send(datagram('f'.repeat(32), { kind, number: 1000 }), port, address);
  await sleep(200);
  assert.equal(answers, 0);
  socket.send(datagram(token, { kind: 'ping', number: 7 }), port, address);
  const [answer] = (await once(socket, 'message')) as [Buffer];
  assert.deepEqual(readDatagram(answer, token), { kind: 'ping', number: 7 });
  socket.close();
  await listener.close();
});

test('where nothing listens, over TCP or over UDP alone, the reason names the port and the transport', async () => {
  const port = await choosePort(undefined);
  await assert.rejects(measureLink({ address, port, token }), {
    code: 'unsupported',
    message: `nothing reaches ${address}:${port} from here over TCP`,
  });
  const silent = await listenForMeasurement({ address, port, token: token.toUpperCase() });
  await assert.rejects(measureEchoes({ address, port, token }), /over TCP/);
  await silent.close();
  const tcpAlone = createServer((socket) =>
    socket.once('data', () => socket.write('+') && socket.pipe(socket)),
  );
  tcpAlone.listen(port, address);
  await once(tcpAlone, 'listening');
  await assert.rejects(measureEchoes({ address, port, token }), {
    message: `nothing reaches ${address}:${port} from here over UDP`,
  });
  tcpAlone.close();
});

test('datagrams that are lost, overtaken or not of the measurement are told apart', () => {
  const count = new DatagramCount();
  for (const number of [0, 2, 1, 5]) count.add({ kind: 'data', number });
  const { received, overtaken } = count.counted();
  assert.deepEqual([received, overtaken], [4, 1]);
  const whole = datagram(token, { kind: 'data', number: 70_000 });
  assert.deepEqual(readDatagram(whole, token), { kind: 'data', number: 70_000 });
  assert.equal(readDatagram(whole, 'f'.repeat(32)), undefined);
  assert.equal(readDatagram(whole.subarray(0, 20), token), undefined);
  const strange = Buffer.from(whole);
  strange.write('x', 32, 'latin1');
  assert.equal(readDatagram(strange, token), undefined);
});

test('the link is named by what it did', () => {
  const udp = {
    roundTripMs: 0.25,
    askedMbps: 100,
    up: { mbps: 99, lossPercent: 1.25, overtakenPercent: 0 },
    down: { mbps: 100, lossPercent: 0, overtakenPercent: 0 },
  };
  const figures = { roundTripMs: 0.2134, upMbps: 938.4, downMbps: 941.2, udp };
  const { description, backend } = described(figures);
  assert.equal(backend, 'real');
  assert.equal(
    description,
    'link between two machines, 0.213 ms round trip, 941 Mbit/s down and 938 Mbit/s up over TCP',
  );
  assert.deepEqual(datagramNotes(figures), [
    'the link over UDP: 0.25 ms round trip; at 100 Mbit/s 0 % of datagrams were lost down and 1.25 % up',
  ]);
});

test('what is between both machines is told in words, and so is that it is not known', () => {
  const figures = { roundTripMs: 0.2, upMbps: 900, downMbps: 900 };
  const words = ([0, 1, 2, null] as const).map((routers) => datagramNotes({ ...figures, routers }));
  assert.deepEqual(words.flat(), [
    'no router is between both machines',
    'a router is between both machines',
    '2 routers are between both machines',
    'how many routers are between both machines is not known: no datagram told',
  ]);
  assert.deepEqual(datagramNotes(figures), []);
});
