import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  namedSecretInAddress,
  namedSecretsIn,
  requireNoSecretAddresses,
  requireNoWrittenSecrets,
} from '../../../../src/app/plan/written-secrets.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';

test('a secret that is written in a command is known by its name or place', () => {
  const holds: readonly (readonly [string, string])[] = [
    ['DB_PASSWORD=hunter2 ./serve', 'DB_PASSWORD'],
    ['docker run -e API_KEY=abcd1234 shop', 'API_KEY'],
    ['serve --token abcd1234 --port 8443', 'token'],
    ['serve --access-key="abcd1234"', 'access-key'],
    ["serve -H 'Authorization: Bearer abcd1234'", 'Authorization'],
    ['serve --db postgres://shop:hunter2@db.example/shop', 'password of an address'],
  ];
  for (const [command, name] of holds) assert.deepEqual(namedSecretsIn(command), [name], command);
});

test('what names a secret, or has nothing to do with one, may stand in a command', () => {
  for (const command of [
    'serve --token "$TOKEN"',
    'DB_PASSWORD=$DB_PASSWORD ./serve',
    'serve --password-file /run/secrets/word --secret ./word',
    'serve --key certs/key.pem --private-key shop.key',
    'docker run -e API_KEY shop',
    'serve --db postgres://shop:${DB_WORD}@db.example/shop',
    'serve --session-timeout 30 --bypass=1 --tokenizer words',
    'caddy run --config Caddyfile',
    'docker run --rm -p 8443:8443 -p 8443:8443/udp shop:next',
  ])
    assert.deepEqual(namedSecretsIn(command), [], command);
});

test('a plan whose server is started with a written secret is refused without repeating it', async () => {
  const slack = ['xoxb', '123456789012', '1234567890123', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-');
  for (const command of ['DB_PASSWORD=hunter2 ./serve', `./serve ${slack}`, ['serve', '--token', 'hunter2']])
    await assert.rejects(
      requireNoWrittenSecrets({ server: { command, protocol: ['h2'], readyWithinSeconds: 1 } }),
      (error) =>
        error instanceof H2h3Error &&
        error.code === 'usage' &&
        /holds what looks like a secret/.test(error.message) &&
        ![error.message, error.next].join().includes('hunter2') &&
        !error.message.includes(slack),
    );
  await requireNoWrittenSecrets({
    server: { command: './serve', protocol: ['h2'], readyWithinSeconds: 1 },
  });
});

test('a secret that is written in an address is refused without repeating it, in arms too', () => {
  const held = 'https://shop.example/account?access_token=0123456789abcdef';
  const arms = [{ label: 'h3', slug: 'h3', factors: { protocol: 'h3' as const, url: held } }];
  for (const plan of [
    { urls: [held], arms: [] },
    { urls: [], arms },
  ])
    assert.throws(
      () => requireNoSecretAddresses(plan),
      (error) =>
        error instanceof H2h3Error &&
        /an address of shop\.example holds what looks like a secret \(access_token\)/.test(error.message) &&
        ![error.message, error.next].join().includes('0123456789'),
    );
  for (const address of [
    'https://shop.example/?token=1',
    'https://shop.example/?q=password',
    'https://shop.example/?tokenizer=longer-than-that',
    'https://shop.example/',
  ])
    assert.equal(namedSecretInAddress(address), undefined, address);
});
