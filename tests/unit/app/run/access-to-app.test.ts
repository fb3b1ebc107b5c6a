import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessToApp } from '../../../../src/app/run/access-to-app.ts';
import type { StateCookie } from '../../../../src/core/model/live-access.ts';

const cookie = (domain: string): StateCookie => ({
  name: 'sid',
  value: 'x',
  domain,
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Lax',
});
const state = {
  cookies: [cookie('localhost'), cookie('shop.example')],
  origins: [
    { origin: 'http://127.0.0.1:3000', localStorage: [{ name: 'a', value: '1' }] },
    { origin: 'http://localhost:3001', localStorage: [] },
  ],
};
const main = { host: 'app.h2h3.test', origin: 'http://localhost:3000' };

test('what opens an app at its own address opens it behind a server of ours', () => {
  const { cookies, origins } = accessToApp({ state }, { hosts: [main], port: 8443 }).state;
  assert.deepEqual(
    cookies.map(({ domain }) => domain),
    ['app.h2h3.test', 'shop.example'],
  );
  assert.deepEqual(
    origins.map(({ origin }) => origin),
    ['https://app.h2h3.test:8443', 'http://localhost:3001'],
  );
  assert.equal(accessToApp(undefined, { hosts: [main], port: 8443 }), undefined);
});

test('cookies of localhost hold for every host of an app, as they hold for every port', () => {
  const hosts = [main, { host: 'api.app.h2h3.test', origin: 'http://localhost:4000' }];
  assert.equal(accessToApp({ state }, { hosts, port: 8443 }).state.cookies[0]?.domain, '.app.h2h3.test');
});
