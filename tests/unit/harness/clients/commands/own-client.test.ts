import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownArguments, ownTransfers } from '../../../../../harness/clients/commands/own-client.ts';
import { quicGo } from '../../../../../harness/clients/commands/quic-go.ts';

const request = {
  protocol: 'h3',
  urls: ['https://files.h2h3.test:8443/1.bin'],
  server: { address: '10.0.0.2', port: 8443 },
  spkiHash: 'key=',
  limitSeconds: 12.5,
  flags: ['--change-address-after=1s'],
} as const;

const line = JSON.stringify({
  url: request.urls[0],
  status: 200,
  protocol: 'h3',
  bodyBytes: 1000,
  mimeType: '',
  connectStartMs: 1,
  connectEndMs: 2,
  requestStartMs: 3,
  responseStartMs: 4,
  endMs: 5,
});

test('a program tells its version and what it speaks', () => {
  assert.deepEqual(quicGo.parseVersion('quic-go 0.63.0\nprotocols: h2 h3'), {
    version: '0.63.0',
    protocols: ['h2', 'h3'],
  });
  assert.deepEqual(quicGo.parseVersion('something else'), { version: 'else', protocols: [] });
  assert.deepEqual(quicGo.parseVersion(''), { version: '', protocols: [] });
});

test('it is sent to the one server with the one key, its own options before the addresses', () => {
  const words = ownArguments(request);
  assert.equal(words[words.indexOf('--address') + 1], '10.0.0.2:8443');
  assert.equal(words[words.indexOf('--spki') + 1], 'key=');
  assert.deepEqual(words.slice(-2), [request.flags[0], request.urls[0]]);
  const ipv6 = ownArguments({ ...request, server: { address: '::1', port: 1 } });
  assert.equal(ipv6[ipv6.indexOf('--address') + 1], '[::1]:1');
  const live = ownArguments({ ...request, protocol: 'auto', server: null, spkiHash: '' });
  assert.deepEqual(live, ['--limit', '12.500', ...request.flags, ...request.urls]);
});

test('what it prints becomes transfers, and no answer is a failure', () => {
  const [whole] = ownTransfers(`${line}\n`);
  assert.deepEqual([whole?.status, whole?.protocol, whole?.endMs, whole?.error], [200, 'h3', 5, undefined]);
  const [none] = ownTransfers(line.replace('"status":200', '"status":0'));
  assert.match(none?.error ?? '', /no answer/);
  assert.throws(() => ownTransfers(line.replace('"endMs":5', '"endMs":null')));
  assert.throws(() => ownTransfers('not JSON'));
});
