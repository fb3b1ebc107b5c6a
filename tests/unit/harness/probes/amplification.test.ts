import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { amplificationStalls } from '../../../../harness/probes/amplification.ts';

type Packet = readonly [time: number, way: 'sent' | 'received', type: string, bytes: number, frame?: string];

const stallsOf = (...packets: readonly Packet[]): ReturnType<typeof amplificationStalls> =>
  amplificationStalls(
    Readable.from(
      packets.map(([time, way, type, length, frame = 'crypto']) => {
        const data = { header: { packet_type: type }, raw: { length }, frames: [{ frame_type: frame }] };
        return `\u001e${JSON.stringify({ time, name: `transport:packet_${way}`, data })}`;
      }),
    ),
  );

const hello: Packet = [0, 'received', 'initial', 1200];

test('a server that had to wait for its client’s address is told with the time that it waited', async () => {
  const flight: Packet[] = [
    [1, 'sent', 'initial', 1200],
    [1, 'sent', 'handshake', 1200],
    [2, 'sent', 'handshake', 1100],
  ];
  const waited = await stallsOf(
    hello,
    ...flight,
    [102, 'received', 'handshake', 50, 'ack'],
    [103, 'sent', 'handshake', 1200],
    [203, 'received', 'handshake', 60],
    [204, 'sent', '1RTT', 40],
  );
  assert.deepEqual(waited, { count: 1, totalMs: 100 });
});

test('one whose flight fits, or that had nothing left at its limit, did not wait', async () => {
  const short: Packet = [1, 'sent', 'initial', 1200];
  assert.deepEqual(
    await stallsOf(hello, short, [101, 'received', 'handshake', 50], [102, 'sent', '1RTT', 40]),
    {
      count: 0,
      totalMs: 0,
    },
  );
  const whole = await stallsOf(
    hello,
    short,
    [1, 'sent', 'handshake', 2000],
    [101, 'received', 'handshake', 50],
    [102, 'sent', '1RTT', 40],
  );
  assert.deepEqual(whole, { count: 0, totalMs: 0 });
  assert.deepEqual(await amplificationStalls(Readable.from(['', '{', '\u001enull'])), {
    count: 0,
    totalMs: 0,
  });
});
