import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exitCodes } from '../../src/core/model/exit-codes.ts';
import { execWords } from '../exec/exec-cases.ts';
import { startProgram, type CliResult } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { startCli } from '../support/cli.ts';
import { goneLimitMs, slowness, waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const uplinks = (): string[] => readdirSync('/sys/class/net').filter((name) => name.startsWith('h2h3-up'));

const ownAddress = Object.values(os.networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Why nothing of this can be tried here; null where it can. */
async function unsupportedReason(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root can lead a path out of its namespace';
  if (ownAddress === undefined) return 'this machine has no address of its own';
  return namespaceLack();
}

/** Where the programs that translate addresses lie. */
const translators = ['nft', 'iptables'].flatMap((name) =>
  ['/usr/sbin', '/sbin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/local/bin'].map(
    (folder) => `${folder}/${name}`,
  ),
);

interface Machine {
  /** Whether it has a program that translates addresses: one that does as if. */
  readonly translates?: boolean;
  /** Its name server. */
  readonly nameServer?: string;
}

/** Runs `h2h3 exec` as root of a machine that is so. */
function runOn(t: TestContext, machine: Machine, words: readonly string[]): Promise<CliResult> {
  const folder = tempFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  if (machine.translates === true) writeFileSync(join(bin, 'nft'), '#!/bin/sh\n', { mode: 0o755 });
  const resolv = join(folder, 'resolv.conf');
  writeFileSync(resolv, `nameserver ${machine.nameServer ?? ownAddress}\n`);
  // Its programs and name server are this test's alone.
  const make = [
    `for file in ${translators.join(' ')}; do [ ! -e $file ] || mount --bind /dev/null $file; done`,
    `mount --bind ${resolv} /etc/resolv.conf`,
    'exec "$@"',
  ].join('; ');
  const program = ['unshare', '--mount', 'sh', '-c', make, 'sh', ...execWords(null, words)];
  const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  return startProgram(program, environment, { cwd: folder }).result;
}

/**
 * A program of Node that says of an address whether it answers, or why not, and after how many ms: the least of three tries, to
 * which a busy machine adds least.
 */
const connectTo = (address: string, port: number): string[] => [
  process.execPath,
  '-e',
  `const { connect } = require('net');
const tryOnce = () => new Promise((resolve) => {
  const beganMs = performance.now();
  const said = (word) => resolve([word, Math.round(performance.now() - beganMs)]);
  connect(${port}, '${address}').on('connect', () => said('open')).on('error', ({ code }) => said(code));
});
(async () => {
  const tries = [await tryOnce(), await tryOnce(), await tryOnce()];
  console.log(tries[0][0], Math.min(...tries.map(([, afterMs]) => afterMs)));
  process.exit(7);
})();`,
];

/** Of the documentation (RFC 5737): nobody answers there. */
const elsewhere = '203.0.113.1';
const atOnceMs = 2000;

/** A server of this machine, at its own address and on its loopback. @returns its port */
async function startServer(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.end());
  server.listen(0, '0.0.0.0');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A name server that knows no name. @returns why there can be none */
async function startNameServer(t: TestContext, address: string): Promise<string | null> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address: from }) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8183, 2);
    server.send(answer, port, from);
  });
  t.after(() => server.close());
  server.bind(53, address);
  const came = await Promise.race([once(server, 'listening'), once(server, 'error')]);
  return came[0] instanceof Error ? came[0].message : null;
}

const gone = (): Promise<void> => waitUntil('the way out is gone', goneLimitMs, () => uplinks().length === 0);

test('as root a command reaches beyond the path, by names as they are outside, and nothing of the way out is left', async (t) => {
  const reason = await unsupportedReason();
  if (reason !== null) return t.skip(reason);
  const port = await startServer(t);
  const connect = `const began = performance.now();
require('net').connect(${port}, '${ownAddress}', () => {
  console.log(performance.now() - began, require('fs').readFileSync('/etc/hosts', 'utf8').length);
  process.exit(3);
});`;
  const words = ['--no-check', '--network', 'cable', '--', process.execPath, '-e', connect];
  const { code, stdout, stderr } = await runOn(t, { translates: true }, words);
  assert.equal(code, 3, stderr);
  const [connectMs = 0, hostsCharacters = 0] = stdout.trim().split(' ').map(Number);
  assert.ok(connectMs > 19, `${connectMs} ms across a round trip of 20 ms`);
  assert.equal(hostsCharacters, readFileSync('/etc/hosts', 'utf8').length);
  await gone();
});

test('where addresses cannot be translated a command does not start, unless it needs nothing beyond', async (t) => {
  const reason = await unsupportedReason();
  if (reason !== null) return t.skip(reason);
  const port = await startServer(t);
  const path = ['--no-check', '--network', 'cable'];
  const refused = await runOn(t, {}, ['--network', 'cable', '--', 'echo', 'started']);
  assert.equal(refused.code, exitCodes.unsupported, refused.stderr);
  assert.equal(refused.stdout, '');
  assert.match(
    refused.stderr,
    /nothing beyond this machine is reached: .*neither nft nor iptables is here[^]*apt-get install nftables, or add --local PORT .*, or --no-outside/,
  );
  const without = await runOn(t, {}, [...path, '--no-outside', '--', ...connectTo(elsewhere, 80)]);
  assert.equal(without.code, 7, without.stderr);
  const [word, afterMs] = without.stdout.trim().split(' ');
  assert.equal(word, 'ENETUNREACH');
  assert.ok(Number(afterMs) < atOnceMs * slowness(), `${afterMs} ms`);
  const local = [...path, '--local', String(port), '--'];
  const beyond = await runOn(t, {}, [...local, ...connectTo(elsewhere, 80)]);
  assert.match(beyond.stderr, /cable: nothing beyond this machine is reached: addresses are translated/);
  const [code, waitedMs] = beyond.stdout.trim().split(' ');
  assert.match(code ?? '', /^E(NET|HOST)UNREACH$/);
  assert.ok(Number(waitedMs) < atOnceMs * slowness(), `${waitedMs} ms`);
  const own = await runOn(t, {}, [...local, ...connectTo(ownAddress ?? '', port)]);
  assert.match(own.stdout, /^open /, own.stderr);
  await gone();
});

test('name servers are asked from behind the path: where they answer here alone, a command does not start', async (t) => {
  const reason = await unsupportedReason();
  if (reason !== null) return t.skip(reason);
  const loopback = '127.0.0.77';
  const missing = (await startNameServer(t, ownAddress ?? '')) ?? (await startNameServer(t, loopback));
  if (missing !== null) return t.skip(`no name server can be had: ${missing}`);
  const command = ['--network', 'cable', '--', 'echo', 'started'];
  const answered = await runOn(t, { translates: true }, command);
  assert.equal(answered.stdout, 'started\n', answered.stderr);
  assert.doesNotMatch(answered.stderr, /name server/);
  const here = await runOn(t, { translates: true, nameServer: loopback }, command);
  assert.equal(here.code, exitCodes.unsupported, here.stderr);
  assert.equal(here.stdout, '');
  assert.match(here.stderr, /no name server answers there \(127\.0\.0\.77: E\w+\)[^]*--no-outside/);
  const nowhere = await runOn(t, { translates: true, nameServer: '127.0.0.78' }, command);
  assert.equal(nowhere.stdout, 'started\n', nowhere.stderr);
  assert.match(nowhere.stderr, /cable: no name server answers there or here \(127\.0\.0\.78/);
  await gone();
});

test('a path that ends does not switch off forwarding under another', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can lead a path out of its namespace');
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const forwards = (): string => readFileSync('/proc/sys/net/ipv4/ip_forward', 'utf8').trim();
  if (forwards() !== '0') return t.skip('this machine forwards by itself');
  const folder = tempFolder(t);
  // It translates addresses where there is no such program: nothing beyond this machine is asked for here.
  writeFileSync(join(folder, 'nft'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const environment = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  const path = (name: string) =>
    startCli(
      [
        'exec',
        '--network',
        'dsl',
        '--no-check',
        '--',
        'sh',
        '-c',
        `echo up > ${folder}/${name}; until [ -e ${folder}/end-${name} ]; do sleep 0.1; done`,
      ],
      environment,
    );
  const isThere = (name: string) => (): boolean => readdirSync(folder).includes(name);
  const first = path('a');
  const second = path('b');
  t.after(() => [first, second].forEach(({ child }) => child.kill()));
  await waitUntil('both are up', 60_000, () => isThere('a')() && isThere('b')());
  assert.equal(forwards(), '1');
  writeFileSync(join(folder, 'end-a'), '');
  assert.equal((await first.result).code, 0);
  assert.equal(forwards(), '1');
  writeFileSync(join(folder, 'end-b'), '');
  assert.equal((await second.result).code, 0);
  await waitUntil('the machine is as it was', goneLimitMs, () => forwards() === '0');
});
