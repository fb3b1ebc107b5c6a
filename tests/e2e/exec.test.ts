import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { debianTreeLack } from '../../harness/tools/debian-tree.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { exitCodes } from '../../src/core/model/exit-codes.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import {
  connectScript,
  execWorld,
  execWords,
  killExec,
  readReport,
  runExec,
  startSite,
  unchecked,
} from '../exec/exec-cases.ts';
import { runPlaywright } from '../exec/playwright-case.ts';
import { processesWith as processesWithVariable, projectDir, startProgram } from '../support/cli.ts';
import { goneLimitMs, killIfThere } from '../support/processes.ts';

test('an ordinary user’s command reaches localhost across the path, with its own output and exit code', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const port = String(await startSite(t));
  const json = join(user.environment['HOME'] ?? '', 'report.json');
  const path = [...unchecked('none,cable'), '--local', port, '--json', json];
  const node = [process.execPath, '-e', `${connectScript(Number(port))}process.exitCode = 7;`];
  const { code, stdout, stderr } = await runExec(user, [...path, '--', ...node], folder);
  assert.equal(code, 7, stderr);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 2, stdout);
  const [without = [], across = []] = lines.map((line) => line.split(' ').map(Number));
  assert.deepEqual([without[0], across[0]], [user.userId, user.userId]);
  assert.ok((across[1] ?? 0) > 19, `${across[1]} ms across a round trip of 20 ms`);
  const { runs, networks, localPorts } = readReport(json);
  assert.deepEqual(
    runs.map(({ network, exitCode }) => [network, exitCode]),
    [
      ['none', 7],
      ['cable', 7],
    ],
  );
  assert.deepEqual(localPorts, [Number(port)]);
  const [, cable] = networks;
  assert.equal(cable?.privilege, 'user-namespace');
  const [, run] = runs;
  assert.ok((run?.counters['sentBytes'] ?? 0) > 0, JSON.stringify(run?.counters));
  assert.match(
    stderr,
    /cable: nothing beyond this machine is reached: that leads out of a namespace, which needs root\n[^]*cable\t1\t[\d.]+ m?s\t/,
  );
});

/** Sends one datagram with ECT(0); prints the mark that it came with, and the mark of the answer. */
const markedClient = `import socket, sys
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.settimeout(60)
udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 2)
udp.setsockopt(socket.IPPROTO_IP, 13, 1)
udp.sendto(b'?', ('127.0.0.1', int(sys.argv[1])))
answer, more, _, _ = udp.recvmsg(2000, 64)
print(answer[0], more[0][2][0])`;

/** Answers one datagram with the mark that it came with, by one with ECT(1). */
const markedServer = `import socket
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(('127.0.0.1', 0))
udp.setsockopt(socket.IPPROTO_IP, 13, 1)
udp.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 1)
print(udp.getsockname()[1], flush=True)
_, more, _, client = udp.recvmsg(2000, 64)
udp.sendto(bytes([more[0][2][0]]), client)`;

test('datagrams cross to localhost and back with their ECN marks', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('there is no python3');
  const { folder, user } = here;
  const server = spawn('python3', ['-c', markedServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill());
  const port = String(await once(server.stdout, 'data')).trim();
  const words = [...unchecked('cable'), '--local', port, '--', 'python3', '-c', markedClient, port];
  const { code, stdout, stderr } = await runExec(user, words, folder);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '2 1\n');
});

/** What a path cannot be without, by its command line, and what is said where it is gone. */
const deaths = [
  [/port-relay pass/, /the relay of --local \d+ ended with SIGKILL/],
  [/path-emulator/, /the path cable is gone: its emulator ended/],
  [/^cat$/, /the path cable is gone: its namespace ended/],
] as const;

test('where a part of the path dies, the command is ended and exec says what died', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const port = String(await startSite(t));
  for (const [part, reason] of deaths) {
    const words = [...unchecked('cable'), '--local', port, '--', 'sh', '-c', 'echo ready >&2; sleep 600'];
    const cli = startProgram(execWords(user, words), user.environment, { cwd: folder });
    await cli.said(/ready/);
    const own = processTree(readProcessTable(), cli.child.pid ?? 0);
    const killed = own.find(({ commandLine }) => part.test(commandLine.trim()));
    assert.ok(
      killed !== undefined,
      `${part.source} is not among ${own.map((row) => row.commandLine).join('; ')}`,
    );
    killIfThere(killed.pid);
    const { code, stderr } = await cli.result;
    assert.equal(code, exitCodes.trialsFailed, stderr);
    assert.match(stderr, reason);
  }
});

test('a connection to localhost ends one way at a time, and is reset where nothing listens', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const bytes = 3_000_000;
  // Over IPv6 alone; it answers when its client has said all.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length));
    socket.on('end', () => socket.end(Buffer.alloc(received)));
    socket.on('error', () => undefined);
  });
  server.listen(0, '::1');
  t.after(() => server.close());
  const listening = await once(server, 'listening').catch((thrown: unknown) => thrown);
  if (listening instanceof Error) return t.skip(`no IPv6 on loopback: ${listening.message}`);
  const { port } = server.address() as AddressInfo;
  const free = await chooseAnyPort();
  const script = `const { connect } = require('net');
const open = (port, then) => {
  let received = 0;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('data', (chunk) => (received += chunk.length));
  socket.on('end', () => then(received));
  socket.on('error', ({ code }) => then(code));
  socket.end(Buffer.alloc(${bytes}));
};
open(${port}, (received) => open(${free}, (code) => console.log(received, code)));`;
  const ports = [port, free].flatMap((each) => ['--local', String(each)]);
  // What is to answer may be started there by --far: so a port at which nothing listens is not refused.
  ports.push('--far', `${process.execPath} -e "require('net').createServer().listen(8000)"`);
  const words = [...unchecked('fiber-300'), ...ports, '--', process.execPath, '-e', script];
  const { code, stdout, stderr } = await runExec(user, words, folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^${bytes} (ECONNRESET|EPIPE)\\n$`));
});

test('a server at the far end answers across the path with a factor set; what a command leaves is ended', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const json = join(user.environment['HOME'] ?? '', 'report.json');
  const serve = `require('http').createServer((q, r) => r.end('far')).listen(8000, '0.0.0.0')`;
  const client = `setsid sleep 600 & exec ${process.execPath} -e "fetch('http://localhost:8000').then((r) => r.text()).then((text) => console.log(text, process.env.H2H3_FAR))"`;
  const words = [...unchecked('dsl'), '--local', '8000', '--set', 'mtu=1400', '--json', json];
  const far = ['--far', `${process.execPath} -e "${serve}"`];
  const { code, stdout, stderr } = await runExec(user, [...words, ...far, '--', 'sh', '-c', client], folder);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, 'far 198.18.0.2\n');
  assert.match(stderr, /ended 1 process that the command left/);
  const { networks, runs } = readReport(json);
  assert.equal(networks[0]?.mtuBytes, 1400);
  assert.equal(runs[0]?.leftBehind, 1);
});

/** Words of a command that ends once the link behind which it is has counted more than so much. */
function untilCounted(folder: string, least: Readonly<Record<string, number>>): readonly string[] {
  const file = join(folder, 'until-counted.mjs');
  writeFileSync(
    file,
    `import { joinLink } from '${projectDir}/src/link/index.ts';
const link = joinLink();
const isCounted = async () => {
  const { counters } = await link.report();
  return Object.entries(${JSON.stringify(least)}).every(([name, count]) => (counters[name] ?? 0) > count);
};
while (!(await isCounted())) await new Promise((resolve) => setTimeout(resolve, 200));
`,
  );
  return [process.execPath, file];
}

test('another client loads the same link, whose managed queue drops before it is full', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const json = join(user.environment['HOME'] ?? '', 'report.json');
  const set = ['queue=fq-codel', 'queuesize=300ms', 'crosstraffic=download@reno'].flatMap((text) => [
    '--set',
    text,
  ]);
  const command = untilCounted(folder, { emulatorDownBytes: 2_000_000, emulatorDownAqmDrops: 0 });
  const words = [...unchecked('dsl'), '--no-outside', ...set, '--json', json, '--', ...command];
  const { code, stderr } = await runExec(user, words, folder);
  assert.equal(code, 0, stderr);
  const { networks, runs } = readReport(json);
  assert.match(networks[0]?.description ?? '', /FQ-CoDel queue of 937500 bytes/);
  const { emulatorDownBytes = 0, emulatorDownAqmDrops = 0, receivedBytes = 0 } = runs[0]?.counters ?? {};
  assert.ok(emulatorDownBytes > 2_000_000, `${emulatorDownBytes} bytes came down`);
  assert.ok(emulatorDownAqmDrops > 0, stderr);
  assert.ok(receivedBytes < 100_000, `${receivedBytes} bytes came to the command’s own end`);
});

test('another client loads the same link over QUIC, either way, and ends with the command', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const lacking = await debianTreeLack(await createSetupContext({ projectDir }));
  if (lacking !== undefined) return t.skip(lacking);
  const { folder, user } = here;
  const json = join(user.environment['HOME'] ?? '', 'report.json');
  const ways = [
    ['download@quic-bbr', 'emulatorDownBytes', 2_000_000],
    ['upload@quic-cubic', 'emulatorUpBytes', 300_000],
  ] as const;
  for (const [text, counter, minBytes] of ways) {
    const set = ['--set', `crosstraffic=${text}`, '--no-outside'];
    const command = untilCounted(folder, { [counter]: minBytes });
    const words = [...unchecked('dsl'), ...set, '--json', json, '--', ...command];
    const { code, stderr } = await runExec(user, words, folder);
    assert.equal(code, 0, stderr);
    const { counters = {} } = readReport(json).runs[0] ?? {};
    assert.ok((counters[counter] ?? 0) > minBytes, `${text}: ${JSON.stringify(counters)}`);
    assert.ok((counters['receivedBytes'] ?? Infinity) < 100_000, `${text} came to the command’s own end`);
  }
  // Other files have such clients at the same time; what this test started has its user's home.
  const left = processesWithVariable(`HOME=${user.environment['HOME']}`);
  assert.deepEqual(
    left.filter((line) => line.includes('gtlsclient')),
    [],
  );
});

test('signals go to the command, and what it makes of them is the exit code', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const script = `trap 'echo got; exit 5' INT; echo ready >&2; while :; do sleep 0.1; done`;
  const cli = startProgram(
    execWords(user, [...unchecked('none'), '--', 'sh', '-c', script]),
    user.environment,
    {
      cwd: folder,
      detached: true,
    },
  );
  await cli.said(/ready/);
  cli.child.kill('SIGINT');
  const { code, stdout } = await cli.result;
  assert.deepEqual([code, stdout], [5, 'got\n']);
});

test('what a command needs is passed on: a terminal, a pipe that is read slowly', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');
  const slow = `${quoted(execWords(user, [...unchecked('none'), '--', 'sh', '-c', 'cat >&2']))} 2>&1`;
  const piped = `head -c 3000000 /dev/zero | ${slow} | { sleep 0.3; cat; } | wc -c`;
  const { stdout } = await startProgram(['sh', '-c', piped], user.environment, { cwd: folder }).result;
  assert.equal(stdout.trim(), '3000000');
  if (spawnSync('script', ['--version']).status !== 0)
    return t.diagnostic('no program script: no terminal tried');
  const inTerminal = quoted(execWords(user, [...unchecked('none'), '--', 'sh', '-c', 'test -t 0 && exit 9']));
  const terminal = await startProgram(['script', '-qec', inTerminal, '/dev/null'], user.environment, {
    cwd: folder,
  }).result;
  assert.equal(terminal.code, 9, terminal.stdout);
});

test('a command that does not exist is said at once, and so is a machine without user namespaces', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const absent = await runExec(user, ['--network', 'cable', '--', 'no-such-command'], folder);
  assert.equal(absent.code, 127);
  assert.equal(absent.stderr, 'h2h3: there is no command no-such-command\n');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'unshare'), '#!/bin/sh\necho "unshare: not permitted" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const withoutUnshare = ['env', `PATH=${bin}:${process.env['PATH'] ?? ''}`];
  const words = [...user.prefix, ...withoutUnshare, ...execWords(null, ['--network', 'cable', '--', 'true'])];
  const { code, stderr } = await startProgram(words, user.environment, { cwd: folder }).result;
  assert.equal(code, 3, stderr);
  assert.match(
    stderr,
    /no permission to make network namespaces here[^]*user-namespace: unshare: not permitted/,
  );
});

test('SIGKILL leaves no process, namespace or folder', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const port = await startSite(t);
  const kill = await killExec({ ...here, port, afterMs: null, goneLimitMs, wholeMachine: false });
  assert.ok(kill.atWork && kill.namespaces >= 2, JSON.stringify(kill));
  assert.deepEqual(kill.faults, []);
});

test('tests of Playwright have a browser behind a path, and what crossed it attached', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const setup = await createSetupContext({ projectDir });
  const browser = await resolveClient('best', setup).catch((thrown: unknown) => messageOf(thrown));
  if (typeof browser === 'string') return t.skip(browser);
  const { code, said, attached, stderr } = await runPlaywright({
    folder: join(here.folder, 'own-tests'),
    user: here.user,
    port: await startSite(t),
    browserName: 'chromium',
    launchOptions: { executablePath: browser.executablePath },
    h2h3: { network: 'dsl', protocol: 'h2' },
    minMs: 34,
  });
  assert.equal(code, 0, `${said}\n${stderr}`);
  assert.equal(attached?.network.id, 'dsl');
  assert.ok((attached.counters['receivedBytes'] ?? 0) > 300_000, JSON.stringify(attached.counters));
});

/** Tests of one file, one after another behind the path of their worker; the last one finds that too much came. */
const changingTests = `
test('cut off', async ({ page, h2h3Link }) => {
  await h2h3Link.set('outage');
  await expect(page.goto('/1', { timeout: 2000 })).rejects.toThrow(/Timeout/);
});
test('slow', async ({ page, h2h3Link }) => {
  await page.goto('/1');
  // The least of five, to which a busy machine adds least.
  const askedMs = () => page.evaluate(async () => {
    let leastMs = Infinity;
    for (let each = 0; each < 5; each += 1) {
      const beganMs = performance.now();
      await fetch('/2', { cache: 'no-store' }).then((answer) => answer.text());
      leastMs = Math.min(leastMs, performance.now() - beganMs);
    }
    return leastMs;
  });
  const plainMs = await askedMs();
  await h2h3Link.set({ delayMs: 200 });
  const lateMs = await askedMs();
  expect(lateMs).toBeGreaterThan(400);
  expect(plainMs).toBeLessThan(lateMs);
});
test('as before', async ({ page, h2h3Link }) => {
  await page.goto('/50000');
  const { counters } = await h2h3Link.report();
  expect(counters.receivedBytes).toBeGreaterThan(50_000);
  expect(counters.receivedBytes).toBeLessThan(100_000);
});
test('too heavy', async ({ page, h2h3Link }) => {
  await page.goto('/300000');
  expect((await h2h3Link.report()).counters.receivedBytes).toBeLessThan(100_000);
});
`;

test('a test changes its network until it ends, the next has the own one again, and one fails by the bytes that came', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const setup = await createSetupContext({ projectDir });
  const browser = await resolveClient('best', setup).catch((thrown: unknown) => messageOf(thrown));
  if (typeof browser === 'string') return t.skip(browser);
  const { code, said, failed, stderr } = await runPlaywright({
    folder: join(here.folder, 'changing-tests'),
    user: here.user,
    port: await startSite(t),
    browserName: 'chromium',
    launchOptions: { executablePath: browser.executablePath },
    h2h3: { down: '25mbit', up: '3mbit', rtt: '36ms' },
    minMs: 35,
    further: changingTests,
  });
  assert.equal(code, 1, stderr);
  assert.deepEqual(failed, ['too heavy'], said);
  assert.match(said, /toBeLessThan[^]*100000/);
});
