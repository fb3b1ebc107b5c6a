import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppAddresses } from '../../../../sites/app/map-addresses.ts';

const hosts = [
  { host: 'app.h2h3.test', origin: 'http://localhost:3000' },
  { host: 'api.app.h2h3.test', origin: 'http://10.0.0.7:4000' },
];
const asked = new AppAddresses({ hosts, port: 8443 });
const own = new AppAddresses({ hosts, port: 8443, ownHost: 'own' });

test('absolute addresses of an app in its answers become those that browsers know', () => {
  const location = (value: string): string => asked.answerHeader(['Location', value])[1];
  assert.equal(location('http://localhost:3000/a?b=http'), 'https://app.h2h3.test:8443/a?b=http');
  assert.equal(location('http://127.0.0.1:3000'), 'https://app.h2h3.test:8443', 'by any name of the machine');
  assert.equal(
    location('https://localhost:3000/'),
    'https://app.h2h3.test:8443/',
    'that trusts the forwarded scheme',
  );
  assert.equal(location('http://app.h2h3.test/'), 'https://app.h2h3.test:8443/', 'that forgets the port');
  assert.equal(location('//localhost:3000/x'), '//app.h2h3.test:8443/x');
  assert.equal(location('http://10.0.0.7:4000/v1'), 'https://api.app.h2h3.test:8443/v1');
  for (const other of [
    '/relative',
    'http://localhost:30001/',
    'https://shop.example/?to=x',
    'http://10.0.0.7/',
  ])
    assert.equal(location(other), other);
  assert.deepEqual(
    asked.answerHeader(['Content-Security-Policy', "connect-src ws://localhost:3000 'self'"]),
    ['Content-Security-Policy', "connect-src wss://app.h2h3.test:8443 'self'"],
  );
  assert.deepEqual(asked.answerHeader(['X-Note', 'http://localhost:3000/']), [
    'X-Note',
    'http://localhost:3000/',
  ]);
});

test('cookies of an app hold for its public names', () => {
  const cookie = (addresses: AppAddresses, value: string): string =>
    addresses.answerHeader(['Set-Cookie', value])[1];
  assert.equal(cookie(asked, 'a=1; Domain=localhost; Path=/'), 'a=1; Domain=app.h2h3.test; Path=/');
  assert.equal(
    cookie(asked, 'a=domain=localhost; HttpOnly'),
    'a=domain=localhost; HttpOnly',
    'a value is none',
  );
  assert.equal(cookie(asked, 'a=1; domain=.shop.example'), 'a=1; domain=.shop.example');
});

test('an app is asked as the browser asks, or by a host of its own', () => {
  const [main] = hosts;
  assert.ok(main);
  assert.equal(asked.askedHost(main), 'app.h2h3.test:8443');
  assert.equal(own.askedHost(main), 'localhost:3000');
  assert.equal(new AppAddresses({ hosts, port: 443 }).askedHost(main), 'app.h2h3.test');
  assert.equal(new AppAddresses({ hosts, port: 443, ownHost: 'shop.test' }).askedHost(main), 'shop.test');
  assert.equal(asked.toApp('https://app.h2h3.test:8443'), 'https://app.h2h3.test:8443');
  assert.equal(
    own.toApp('https://app.h2h3.test:8443/a'),
    'http://localhost:3000/a',
    'where it checks the origin',
  );
  assert.equal(asked.hostNamed('API.app.h2h3.test:8443'), hosts[1]);
  assert.equal(asked.hostNamed('other.test'), undefined);
});
