import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { ownNetwork } from '../../runner/own-network.ts';

test('a network of its own has a loopback that works, a link with an address and no way out, and is none of the machine’s', (t) => {
  const [program, ...prefix] = ownNetwork();
  if (program === undefined) return t.skip('this user can make no network');
  const look = `
const { networkInterfaces } = require('node:os');
const { connect, createServer } = require('node:net');
const outward = connect(80, '203.0.113.1').on('error', ({ code }) => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1', () =>
    connect(server.address().port, '127.0.0.1').on('connect', () => {
      console.log(JSON.stringify({ code, names: Object.keys(networkInterfaces()) }));
      process.exit(7);
    }));
});`;
  const { status, stdout, stderr } = spawnSync(program, [...prefix, process.execPath, '-e', look], {
    encoding: 'utf8',
  });
  assert.equal(status, 7, stderr);
  const { code, names } = JSON.parse(stdout) as { code: string; names: string[] };
  assert.equal(code, 'ENETUNREACH');
  const others = names.filter((name) => name !== 'lo' && !name.startsWith('test-'));
  assert.deepEqual(others, []);
  assert.ok(names.includes('test-link'), 'what has browsers believe that they are online');
  assert.ok(!Object.keys(networkInterfaces()).includes('test-link'));
});
