import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { countLines } from '../../../../harness/probes/firefox-log.ts';

test('sessions, streams and requests are counted in Firefox’s log, and lines cut short are not', async () => {
  const at = '2026-01-01 10:00:00.000001 UTC - [Parent 1: Socket Thread]: ';
  const lines = [
    `${at}I/nsHttp Http3Session::Init 7f45`,
    `${at}I/nsHttp Http3Session::Init origin=a.test, alpn=h3, qpack table size=65536`,
    `${at}I/nsHttp Http3Session::AddStream 7f45 atrans=7f46.`,
    `${at}I/neqo_http3::* [neqo_http3::connection] [Http3 connection] Request method=GET target: ("https")`,
    `${at}I/nsHttp Http3Session::AddStr`,
  ];
  const counters: Record<string, number> = {};
  await countLines(Readable.from(lines), counters);
  assert.deepEqual(counters, {
    firefoxLogHttp3Sessions: 1,
    firefoxLogHttp3Streams: 1,
    firefoxLogHttp3Requests: 1,
  });
});
