import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyRequest } from '../../../../../harness/network/proxy/proxy-request.ts';

const name = Buffer.from('shop.example');
const port = Buffer.from([0x0b, 0xb8]);
const rest = Buffer.from('GET / HTTP/1.1');

/** Where a connection is to lead, with what came behind; what is answered else. */
function askedFor(data: Buffer, greeted: boolean): unknown {
  const step = readProxyRequest(data, greeted);
  if (step.type !== 'connect') return step.type;
  const { request } = step;
  return [request.host, request.port, request.rest.toString()];
}

test('SOCKS5 is read by name and by address of either version, in whatever parts it comes', () => {
  const greeting = Buffer.from([5, 2, 2, 0]);
  const step = readProxyRequest(Buffer.concat([greeting, rest]), false);
  assert.deepEqual(step, { type: 'answer', data: Buffer.from([5, 0]), rest });
  assert.equal(readProxyRequest(greeting.subarray(0, 3), false).type, 'more');
  const byName = Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, port, rest]);
  assert.deepEqual(askedFor(byName, true), ['shop.example', 3000, rest.toString()]);
  for (let bytes = 0; bytes < byName.length - rest.length; bytes += 1)
    assert.equal(readProxyRequest(byName.subarray(0, bytes), true).type, 'more', `${bytes} bytes`);
  const byV4 = Buffer.concat([Buffer.from([5, 1, 0, 1, 127, 0, 0, 1]), port]);
  assert.deepEqual(askedFor(byV4, true), ['127.0.0.1', 3000, '']);
  const v6 = Buffer.alloc(16);
  v6[15] = 1;
  assert.deepEqual(askedFor(Buffer.concat([Buffer.from([5, 1, 0, 4]), v6, port]), true), [
    '0:0:0:0:0:0:0:1',
    3000,
    '',
  ]);
});

test('what SOCKS5 cannot have here is answered by its code: datagrams, log-ins, other addresses', () => {
  const codeOf = (data: Buffer, greeted: boolean): number | undefined => {
    const step = readProxyRequest(data, greeted);
    return step.type === 'no' ? step.data[1] : undefined;
  };
  assert.equal(codeOf(Buffer.from([5, 3, 0, 1, 127, 0, 0, 1, 0, 80]), true), 7);
  assert.equal(codeOf(Buffer.from([5, 1, 0, 2, 0, 0, 0]), true), 8);
  assert.equal(codeOf(Buffer.from([5, 1, 2]), false), 0xff);
});

test('CONNECT of HTTP is read; other requests are refused in words', () => {
  const head = 'CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n\r\n';
  assert.deepEqual(askedFor(Buffer.from(`${head}hello`), false), ['shop.example', 443, 'hello']);
  assert.deepEqual(askedFor(Buffer.from('CONNECT [::1]:8443 HTTP/1.1\r\n\r\n'), false), ['::1', 8443, '']);
  assert.equal(askedFor(Buffer.from(head.slice(0, -2)), false), 'more');
  for (const line of ['GET http://shop.example/ HTTP/1.1', 'CONNECT shop.example:99999 HTTP/1.1', 'x']) {
    const step = readProxyRequest(Buffer.from(`${line}\r\n\r\n`), false);
    assert.ok(step.type === 'no', line);
    assert.match(step.data.toString(), /^HTTP\/1\.1 501 .*CONNECT alone/);
  }
  assert.equal(readProxyRequest(Buffer.alloc(17_000, 'x'), false).type, 'no');
});
