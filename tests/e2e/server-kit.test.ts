import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { request, startOrigin } from '../support/origin-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const isUsage = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof H2h3Error && error.code === 'usage');
  assert.match(error.message, pattern);
  return true;
};

test('a port that TCP or UDP holds already is a usage error that names the holder', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  t.after(() => holder.close());
  const { port } = holder.address() as AddressInfo;
  await assert.rejects(startOrigin(t, { port }), isUsage(new RegExp(`Port ${port} is in use: .*TCP`)));
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.after(() => socket.close());
  const udpPort = socket.address().port;
  await assert.rejects(
    startOrigin(t, { port: udpPort }),
    isUsage(new RegExp(`Port ${udpPort} is in use: .*UDP`)),
  );
});

test('two origins cannot share a port unnoticed', async (t) => {
  const first = await startOrigin(t);
  await assert.rejects(startOrigin(t, { port: first.port }), isUsage(/in use: caddy \(process \d+\)/));
});

test('a server that does not start is an error with its last words', async (t) => {
  const prefix = path.join(tempFolder(t), 'prefix.sh');
  // Lets the programs that only look through, and breaks the start of the server itself.
  writeFileSync(
    prefix,
    '#!/bin/sh\ncase "$*" in *" run --config "*) echo "no such luck" >&2; exit 7;; esac\nexec "$@"\n',
    {
      mode: 0o755,
    },
  );
  await assert.rejects(startOrigin(t, { launchPrefix: [prefix] }), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'process-failed');
    assert.match(error.context.stderrTail ?? '', /no such luck/);
    return true;
  });
});

test('with a prefix the server runs, is probed and is proven inside a network namespace', async (t) => {
  const name = `h2h3-test-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0)
    return t.skip('no right to make network namespaces');
  t.after(() => spawnSync('ip', ['netns', 'delete', name]));
  const inside = ['ip', 'netns', 'exec', name];
  spawnSync(inside[0] ?? '', [...inside.slice(1), 'ip', 'link', 'set', 'lo', 'up']);
  const server = await startOrigin(t, { launchPrefix: inside });
  await assert.rejects(request(server, '/'), 'it must not be reachable from outside');
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(server.port, '127.0.0.1', resolve));
  await new Promise((resolve) => socket.close(resolve));
  assert.equal(server.alive(), true);
  await server.stop();
  assert.equal(server.alive(), false);
});
