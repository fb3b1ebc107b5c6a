import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostsWithH3 } from '../../../../src/app/run/scout-live-pages.ts';
import type { Har } from '../../../../src/core/model/har.ts';

const entry = (url: string, httpVersion: string, altSvc?: string): unknown => ({
  request: { url },
  response: { httpVersion, headers: altSvc === undefined ? [] : [{ name: 'Alt-Svc', value: altSvc }] },
});
const harOf = (...entries: unknown[]): Har => ({ log: { pages: [], entries } }) as unknown as Har;

test('hosts count that answered over HTTP/3 or announced it for their own address', () => {
  const har = harOf(
    entry('https://quic.test/a', 'h3'),
    entry('https://announces.test/', 'h2', 'h3=":443"; ma=86400, h3-29=":443"'),
    entry('https://announces.test/again', 'h2', 'h3=":443"'),
    entry('https://port.test:8443/', 'h2', 'h3=":8443"'),
  );
  assert.deepEqual(hostsWithH3(har), ['announces.test:443', 'port.test:8443', 'quic.test:443']);
});

test('an announcement of another place, an old draft, or no load at all names none', () => {
  const har = harOf(
    entry('https://elsewhere.test/', 'h2', 'h3="cdn.test:443"'),
    entry('https://other-port.test/', 'h2', 'h3=":8443"'),
    entry('https://draft.test/', 'h2', 'h3-29=":443"'),
    entry('https://tcp.test/', 'http/1.1'),
    entry('http://plain.test/', 'http/1.1', 'h3=":443"'),
  );
  assert.deepEqual(hostsWithH3(har), []);
  assert.deepEqual(hostsWithH3(null), []);
});
