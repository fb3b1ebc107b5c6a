import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedSecretInAddress, namedSecretsIn } from '../../../../src/app/plan/named-secrets.ts';
import { secretAddresses, secretCommands } from '../../../../src/app/preflight/written-secrets.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import type { LiveOptions } from '../../../../src/core/model/live-address.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan: anyPlan } = generateRun({ blocks: 1 });
const serving = (command: string | string[]): Plan => {
  const live: LiveOptions = { server: { command, protocol: ['h2'], readyWithinSeconds: 1 } };
  return { ...anyPlan, live };
};

test('a secret that is written in a command is known by its name or place', () => {
  const holds: readonly (readonly [string, string])[] = [
    ['DB_PASSWORD=hunter2 ./serve', 'DB_PASSWORD'],
    ['docker run -e API_KEY=abcd1234 shop', 'API_KEY'],
    ['serve --token abcd1234 --port 8443', 'token'],
    ['STRIPE_KEY=abcd1234 ./serve', 'STRIPE_KEY'],
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
    'TLS_KEY=certs/tls.key STRIPE_KEY=$STRIPE_KEY ./serve --sort-key=name',
    'serve --db postgres://shop:${DB_WORD}@db.example/shop',
    'serve --session-timeout 30 --bypass=1 --tokenizer words',
    'caddy run --config Caddyfile',
    'docker run --rm -p 8443:8443 -p 8443:8443/udp shop:next',
  ])
    assert.deepEqual(namedSecretsIn(command), [], command);
});

test('a plan whose server is started with a written secret is refused without repeating it', async () => {
  const slack = ['xoxb', '123456789012', '1234567890123', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-');
  for (const command of [
    'DB_PASSWORD=hunter2 ./serve',
    `./serve ${slack}`,
    ['serve', '--token', 'hunter2'],
  ]) {
    const [found, ...others] = await secretCommands.judge(serving(command), {});
    assert.equal(others.length, 0);
    assert.equal(found?.code, 'usage');
    assert.match(found.reason, /holds what looks like a secret/);
    assert.doesNotMatch([found.reason, found.next].join(), /hunter2|xoxb/);
  }
  assert.deepEqual(await secretCommands.judge(serving('./serve'), {}), []);
});

test('signatures and what stands behind the # of an address are secrets too', () => {
  for (const [address, name] of [
    ['https://h/?X-Amz-Signature=0123456789', 'X-Amz-Signature'],
    ['https://h/?sig=0123456789', 'sig'],
    ['https://h/#token=0123456789', 'token'],
    ['https://h/#/orders?access_token=0123456789', 'access_token'],
    ['https://h/?design=0123456789#section-of-the-page', undefined],
  ] as const)
    assert.equal(namedSecretInAddress(address), name, address);
});

test('a secret that is written in an address is refused without repeating it, in arms too', async () => {
  const held = 'https://shop.example/account?access_token=0123456789abcdef';
  const arms = [{ label: 'h3', slug: 'h3', factors: { protocol: 'h3' as const, url: held } }];
  for (const plan of [
    { ...anyPlan, urls: [held], arms: [] },
    { ...anyPlan, urls: [], arms },
  ]) {
    const [found] = await secretAddresses.judge(plan, {});
    assert.match(
      found?.reason ?? '',
      /an address of shop\.example holds what looks like a secret \(access_token\)/,
    );
    assert.doesNotMatch([found?.reason, found?.next].join(), /0123456789/);
    assert.match(found?.next ?? '', /--header 'NAME: \$\{VARIABLE\}'/);
  }
  const live: LiveOptions = {
    server: {
      command: 'serve',
      ready: 'http://me:hunter2@localhost/',
      protocol: ['h2'],
      readyWithinSeconds: 1,
    },
  };
  for (const plan of [
    { ...anyPlan, live },
    { ...anyPlan, urls: ['https://me:hunter2@shop.example/'], arms: [] },
  ]) {
    const [found] = await secretAddresses.judge(plan, {});
    assert.match(found?.reason ?? '', /holds a user name or a password/);
    assert.doesNotMatch([found?.reason, found?.next].join(), /hunter2/);
  }
  for (const address of [
    'https://shop.example/?token=1',
    'https://shop.example/?q=password',
    'https://shop.example/?tokenizer=longer-than-that',
    'https://shop.example/',
  ])
    assert.equal(namedSecretInAddress(address), undefined, address);
});
