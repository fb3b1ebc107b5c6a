import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hybridLack } from '../../../../harness/servers/openssl-groups.ts';

const nginx = (library: string): string =>
  `nginx version: nginx/1.26.3\nbuilt by gcc 16.2.0\nbuilt with ${library}\nTLS SNI support enabled\nconfigure arguments: --with-http_v3_module`;

const haproxy = (built: string, running: string): string =>
  [
    'HAProxy version 3.0.11-1+deb13u4 2026/10/15 - https://haproxy.org/',
    'Feature list : -ENGINE +LUA +OPENSSL -OPENSSL_AWSLC -OPENSSL_WOLFSSL +QUIC',
    `Built with ${built}`,
    `Running on ${running}`,
    'OpenSSL library supports TLS extensions : yes',
    'OpenSSL providers loaded : default',
    'Built with Lua version : Lua 5.4.7',
  ].join('\n');

test('a server has X25519MLKEM768 by the OpenSSL that it runs with, not by the one that it was built with', () => {
  assert.match(
    hybridLack('nginx', nginx('OpenSSL 3.0.17 1 Jul 2025')) ?? '',
    /nginx runs here with OpenSSL 3\.0\.17, which has no X25519MLKEM768 before 3\.5/,
  );
  const moved = (built: string, running: string): string =>
    nginx(`OpenSSL ${built} 9 Jun 2026 (running with OpenSSL ${running} 29 Sep 2026)`);
  assert.equal(hybridLack('nginx', moved('3.0.17', '3.5.9')), undefined);
  assert.match(hybridLack('nginx', moved('3.5.7', '3.4.0')) ?? '', /OpenSSL 3\.4\.0/);
  const old = 'OpenSSL version : OpenSSL 3.5.7 9 Jun 2026';
  assert.equal(hybridLack('HAProxy', haproxy(old, old)), undefined);
  const older = haproxy(old, 'OpenSSL version : OpenSSL 3.0.2 15 Mar 2022');
  assert.match(hybridLack('HAProxy', older) ?? '', /HAProxy runs here with OpenSSL 3\.0\.2/);
  const newForm = 'SSL library version : OpenSSL 3.2.1 30 Jan 2024';
  assert.match(hybridLack('HAProxy', haproxy(newForm, newForm)) ?? '', /OpenSSL 3\.2\.1/);
});

test('of another library, and of a server that does not say, a trial finds out', () => {
  const other = 'SSL library version : AWS-LC 1.49.0';
  for (const said of [
    nginx('OpenSSL 1.1.1 (compatible; BoringSSL) (running with BoringSSL)'),
    nginx('LibreSSL 3.8.2'),
    haproxy(other, other),
    'nginx/1.30.6',
    '',
  ])
    assert.equal(hybridLack('nginx', said), undefined, said);
});
