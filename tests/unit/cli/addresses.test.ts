import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAsSource } from '../../../src/app/plan/address-as-source.ts';
import { runCliHere } from '../../support/cli.ts';

test('an address as a command is answered with the command that measures it', async () => {
  const { code, stderr } = await runCliHere(['https://shop.example/a?b=1']);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /https:\/\/shop\.example\/a\?b=1 is an address, and/);
  assert.match(stderr, /next: npx h2h3 run --url 'https:\/\/shop\.example\/a\?b=1'/);
});

test('exec without a command says where the command stands', async () => {
  const { code, stderr } = await runCliHere(['exec', '--network', '4g']);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /no command to run/);
  assert.match(stderr, /next: .* npx h2h3 exec --network 4g -- curl/);
});

test('an address in the place of a preset is a live address, or an app, and that is said', () => {
  const live = addressAsSource('https://shop.example/a?token=1', {});
  assert.deepEqual(live.flags, { url: ['https://shop.example/a?token=1'] });
  assert.equal(live.source, undefined);
  assert.equal(live.said, 'shop.example is measured with the server that it has (--url)');
  for (const address of [
    'http://localhost:3000',
    'http://192.168.1.4:8080/',
    'http://[::1]:3000',
    'http://shop:80/',
  ]) {
    const app = addressAsSource(address, { server: 'nginx' });
    assert.deepEqual(app.flags, { server: 'nginx', app: [address] });
    assert.match(app.said ?? '', /is measured as an app behind servers of h2h3 \(--app\)$/);
  }
  for (const other of ['web', 'my-plan.yaml', undefined])
    assert.deepEqual(addressAsSource(other, {}), { source: other, flags: {} });
  assert.throws(() => addressAsSource('http://shop.example/a', {}), {
    code: 'usage',
    next: /^Did you mean https:\/\/shop\.example\/a\?/,
  });
});
