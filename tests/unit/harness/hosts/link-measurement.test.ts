import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { described } from '../../../../harness/hosts/real-link.ts';
import { listenForMeasurement, measureLink } from '../../../../harness/hosts/link-measurement.ts';
import { choosePort } from '../../../../src/core/system/free-port.ts';

const token = '0123456789abcdef0123456789abcdef';
const address = '127.0.0.1';

test('a link is measured both ways, and the port is free again afterwards', async () => {
  const port = await choosePort(undefined);
  for (let turn = 0; turn < 2; turn++) {
    await listenForMeasurement({ address, port, token });
    const { roundTripMs, upMbps, downMbps } = await measureLink({ address, port, token });
    assert.ok(roundTripMs > 0 && roundTripMs < 1000, `${roundTripMs} ms`);
    assert.ok(upMbps > 10 && downMbps > 10, `${upMbps} and ${downMbps} Mbit/s`);
  }
});

test('a stranger gets no answer, and where nothing listens the reason names the port', async () => {
  const port = await choosePort(undefined);
  await listenForMeasurement({ address, port, token });
  const stranger = connect({ host: address, port });
  await once(stranger, 'connect');
  stranger.write('GET / HTTP/1.1\r\n\r\n');
  const [hadError] = (await once(stranger, 'close')) as [boolean];
  assert.equal(typeof hadError, 'boolean');
  assert.equal(stranger.bytesRead, 0);
  await measureLink({ address, port, token });
  await assert.rejects(measureLink({ address, port, token }), {
    code: 'unsupported',
    message: `nothing reaches ${address}:${port} from here over TCP`,
  });
});

test('the link is named by what it did', () => {
  const { description, backend } = described({ roundTripMs: 0.2134, upMbps: 938.4, downMbps: 941.2 });
  assert.equal(backend, 'real');
  assert.equal(
    description,
    'link between two machines, 0.213 ms round trip, 941 Mbit/s down and 938 Mbit/s up over TCP',
  );
});
