import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caddyConfig } from '../../../../harness/servers/caddy-config.ts';
import { contentTypes } from '../../../../harness/servers/content-types.ts';

const options = {
  roots: [
    { host: 'a.test', directory: '/sites/a' },
    { host: 'b.test', directory: '/sites/{b}' },
  ],
  address: '127.0.0.1',
  port: 4433,
  certificates: [{ certificateFile: '/c/a.pem', keyFile: '/c/key.pem' }],
  storageDir: '/srv/storage',
  accessLogFile: '/srv/access.log',
  inheritedTcpSocket: null,
};

test('one port serves HTTP/1.1, HTTP/2 and HTTP/3', () => {
  const text = JSON.stringify(caddyConfig(options));
  assert.match(text, /"listen":\["127\.0\.0\.1:4433"\],"protocols":\["h1","h2","h3"\]/);
  assert.match(JSON.stringify(caddyConfig({ ...options, address: '::1' })), /"\[::1\]:4433"/);
});

test('an inherited socket takes the TCP protocols and the same port keeps HTTP/3', () => {
  const text = JSON.stringify(caddyConfig({ ...options, inheritedTcpSocket: 3 }));
  assert.match(
    text,
    /"listen":\["fd\/3","127\.0\.0\.1:4433"\],"listen_protocols":\[\["h1","h2"\],\["h3"\]\]/,
  );
});

test('the server reaches out for nothing and changes no bytes', () => {
  const config = caddyConfig(options) as { admin: unknown };
  const text = JSON.stringify(config);
  assert.deepEqual(config.admin, { disabled: true, config: { persist: false } });
  assert.match(text, /"automatic_https":\{"disable":true\}/);
  assert.match(text, /"disable_ocsp_stapling":true/);
  assert.doesNotMatch(text, /"handler":"encode"|"browse"/);
});

test('braces in a folder name are not taken for placeholders', () => {
  assert.match(JSON.stringify(caddyConfig(options)), /"\/sites\/\\\\\{b\}"/);
});

test('what video, modules and fonts need has the type that browsers insist on', () => {
  const expected = {
    mpd: 'application/dash+xml',
    mp4: 'video/mp4',
    m4s: 'video/iso.segment',
    mjs: 'text/javascript; charset=utf-8',
    woff2: 'font/woff2',
    wasm: 'application/wasm',
    avif: 'image/avif',
    webp: 'image/webp',
    css: 'text/css; charset=utf-8',
  };
  for (const [ending, type] of Object.entries(expected)) assert.equal(contentTypes[ending], type);
});

test('a second visit asks for documents again, and for nothing else', () => {
  const text = JSON.stringify(caddyConfig(options));
  const [, control] = /"Content-Type":\["text\/html[^}]*"Cache-Control":\["([^"]*)"\]/.exec(text) ?? [];
  assert.equal(control, 'no-cache');
  assert.equal(text.split('"no-cache"').length - 1, 1);
  assert.match(text, /"public, max-age=3600"/);
});
