import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { runExec } from '../exec/exec-cases.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const uplinks = (): string[] => readdirSync('/sys/class/net').filter((name) => name.startsWith('h2h3-up'));

test('as root a command reaches beyond the path, by names as they are outside, and nothing of the way out is left', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can lead a path out of its namespace');
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const address = Object.values(os.networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) return t.skip('this machine has no address of its own');
  const server = createServer((socket) => socket.end());
  server.listen(0, address);
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const connect = `const began = performance.now();
require('net').connect(${port}, '${address}', () => {
  console.log(performance.now() - began, require('fs').readFileSync('/etc/hosts', 'utf8').length);
  process.exit(3);
});`;
  const words = ['--no-check', '--network', 'cable', '--', process.execPath, '-e', connect];
  const { code, stdout, stderr } = await runExec(null, words, tempFolder(t));
  assert.equal(code, 3, stderr);
  const [connectMs = 0, hostsCharacters = 0] = stdout.trim().split(' ').map(Number);
  assert.ok(connectMs > 19, `${connectMs} ms across a round trip of 20 ms`);
  assert.equal(hostsCharacters, readFileSync('/etc/hosts', 'utf8').length);
  await waitUntil('the way out is gone', goneLimitMs, () => uplinks().length === 0);
});
