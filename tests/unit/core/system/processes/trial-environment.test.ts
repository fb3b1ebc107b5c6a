import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flags } from '../../../../../src/core/factors/client-settings.ts';
import {
  clientEnvironment,
  directEnvironment,
  proxyVariable,
} from '../../../../../src/core/system/processes/trial-environment.ts';

const ofProxies = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'socks_proxy', 'no_proxy', 'npm_config_https_proxy']
    .flatMap((name) => [name, name.toUpperCase()])
    .concat('npm_config_proxy', 'auto_proxy', 'SOCKS_SERVER')
    .map((name) => [name, 'http://127.0.0.1:1']),
);
const usual = { PATH: '/bin', HOME: '/home/me', LC_ALL: 'C', H2H3_CACHE: '/cache', DISPLAY: ':0' };

test('what a user brings into a trial has no variable that names a proxy, and every other', () => {
  const own = { ...usual, TOKEN: 'of a script', HTTP_PORT: '8080', PROXY_HEADERS: 'on' };
  assert.deepEqual(directEnvironment({ ...own, ...ofProxies, absent: undefined }), own);
});

test('a client has its variables from a list', () => {
  const others = {
    LD_PRELOAD: 'x.so',
    MOZ_LOG: 'nsHttp:5',
    SSLKEYLOGFILE: '/tmp/keys',
    NODE_OPTIONS: '--inspect',
  };
  assert.deepEqual(clientEnvironment({ ...usual, ...others, ...ofProxies }), usual);
});

test('the proxy that a user may have meant is named', () => {
  assert.equal(proxyVariable({ http_proxy: 'a', all_proxy: 'b', HTTPS_PROXY: '' }), 'all_proxy');
  assert.equal(proxyVariable({ no_proxy: 'a' }), undefined);
});

test('flags set no proxy', () => {
  for (const text of [
    '--proxy-server=a:1',
    '--enable-features=A --proxy-pac-url=http://a/',
    '--proxy-auto-detect',
    'network.proxy.type=1',
    '--proxy a:1',
    '-x a:1',
    '--preproxy a',
    '--socks5-hostname a',
    '--https-proxy=a',
  ])
    assert.equal(flags.form.read(text), undefined, text);
  assert.deepEqual(flags.form.read('--enable-features=A  --no-proxy-server'), [
    '--enable-features=A',
    '--no-proxy-server',
  ]);
});
