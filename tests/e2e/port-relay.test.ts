import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { emulatorSources } from '../../harness/network/emulator-programs.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';
import { buildProgram, noCompilerReason, noSanitizersReason } from '../support/sanitized-program.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** As root or not: a namespace of its own. */
const inNamespace = ['unshare', '--user', '--map-root-user', '--net', '--'];
const namespace = spawnSync(
  inNamespace[0] ?? '',
  [...inNamespace.slice(1), 'ip', 'link', 'set', 'lo', 'up'],
  {
    encoding: 'utf8',
  },
);
const noNamespace = namespace.status === 0 ? false : `no namespaces here: ${namespace.stderr.trim()}`;
const skip = noCompilerReason || noNamespace;
const noSanitizers = noSanitizersReason();

interface Relay {
  readonly child: ChildProcess;
  /** Words before a command that is to run at the far end. */
  readonly there: readonly string[];
}

interface RelayOptions {
  readonly port: number;
  readonly sanitized?: boolean;
  readonly idleS?: number;
  /** A shell's words that limit what it may have. */
  readonly limits?: string;
}

/** A relay between this machine's loopback and that of a namespace. */
async function startRelay(t: TestContext, options: RelayOptions): Promise<Relay> {
  const { port, sanitized = false, idleS = 120, limits = 'true' } = options;
  const relay = buildProgram(tempFolder(t), { files: emulatorSources['port-relay'], sanitized });
  const [program = '', ...first] = inNamespace;
  const holder = spawn(program, [...first, 'sh', '-c', 'ip link set lo up; echo $$; exec cat > /dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => holder.kill('SIGKILL'));
  const pid = String(await once(holder.stdout, 'data')).trim();
  const there = ['nsenter', '--target', pid, '--user', '--net', '--preserve-credentials', '--'];
  const words = [relay, 'pass', String(idleS), ...there, relay, 'open', String(port)];
  const child = spawn('sh', ['-c', `${limits}; exec "$@"`, 'sh', ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Stopped at the end, it has what is still open.
    env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' },
  });
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'close').then(() => Promise.reject(new Error(`no relay: ${stderr}`))),
  ])) as [string];
  assert.equal(line, '{"answeredThere":[]}');
  return { child, there };
}

/** Runs a program of Node at the far end, which knows `port`. @returns what it prints, as JSON */
async function runThere({ there }: Relay, port: number, script: string): Promise<unknown> {
  const [program = '', ...args] = there;
  const heading = `const net = require('net'); const dgram = require('dgram'); const port = ${port};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const open = (at) => new Promise((resolve, reject) => {
  const socket = net.connect(at, '127.0.0.1', () => resolve(socket));
  socket.once('error', reject);
});
const first = (socket) => new Promise((resolve) => { socket.once('data', resolve); socket.once('close', () => resolve(null)); });
const askByUdp = (text) => new Promise((resolve) => {
  const udp = dgram.createSocket('udp4');
  const send = () => udp.send(text, port, '127.0.0.1');
  const again = setInterval(send, 500);
  udp.once('message', (answer) => { clearInterval(again); resolve([udp, String(answer)]); });
  send();
});
const say = (value) => { console.log(JSON.stringify(value)); process.exit(); };
`;
  const child = spawn(program, [...args, process.execPath, '-e', `${heading}(async () => {${script}})();`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

interface Servers {
  readonly port: number;
  /** Connections that are open, the newest last. */
  readonly sockets: readonly Socket[];
}

/** A server of TCP that does as it is told, and one of UDP that echoes, at the same port of this machine. */
async function startServers(t: TestContext, serve: (socket: Socket) => void): Promise<Servers> {
  const sockets: Socket[] = [];
  const tcp = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1));
    serve(socket);
  });
  const udp = createSocket('udp4');
  udp.on('message', (message, { port: from }) => udp.send(message, from, '127.0.0.1'));
  // Also where one of them cannot listen: what stays open keeps the test run from its end.
  t.after(() => {
    sockets.forEach((socket) => socket.destroy());
    tcp.close();
    udp.close();
  });
  const port = await chooseAnyPort();
  tcp.listen(port, '127.0.0.1');
  await once(tcp, 'listening');
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return { port, sockets };
}

const echo = (socket: Socket): void => void socket.pipe(socket);

const handlesOf = ({ child }: Relay): number => readdirSync(`/proc/${child.pid ?? 0}/fd`).length;

const statusOf = ({ child }: Relay, name: string): number =>
  Number(
    new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8'))?.[1],
  );

/** Its CPU time in ticks of the kernel's clock, and whether it waits for something now. */
function cpuOf({ child }: Relay): { readonly ticks: number; readonly isWaiting: boolean } {
  const stat = readFileSync(`/proc/${child.pid ?? 0}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { ticks: Number(fields[11]) + Number(fields[12]), isWaiting: fields[0] === 'S' };
}

const looks = 10;

/** Resolves when it has used no more than so much in so long, and waited whenever it was looked at. One that spins never does. */
async function rests(relay: Relay, forMs: number, mostTicks: number): Promise<void> {
  await waitUntil('the relay rests', goneLimitMs, async () => {
    const { ticks } = cpuOf(relay);
    for (let look = 0; look < looks; look++) {
      await sleep(forMs / looks);
      if (!cpuOf(relay).isWaiting) return false;
    }
    return cpuOf(relay).ticks - ticks <= mostTicks;
  });
}

/** Opens connections all at once and expects its own byte back from each. */
const askAll = (count: number): string => `
const all = await Promise.all(Array.from({ length: ${count} }, () => open(port)));
const answers = all.map(first);
all.forEach((socket, index) => socket.write(Buffer.from([index % 256])));
const right = (await Promise.all(answers)).filter((answer, index) => answer?.[0] === index % 256).length;
say(right);`;

test(
  'four hundred connections at once need no thread, and no more memory than what waits',
  { skip },
  async (t) => {
    const { port } = await startServers(t, echo);
    // Room for six threads with the usual stack.
    const relay = await startRelay(t, { port, limits: 'ulimit -v 65536' });
    assert.equal(await runThere(relay, port, askAll(400)), 400);
    assert.equal(statusOf(relay, 'Threads'), 1);
    assert.equal(relay.child.exitCode, null);
  },
);

test(
  'more connections than there are handles wait for those that end, and datagrams still pass',
  { skip },
  async (t) => {
    const { port } = await startServers(t, echo);
    const relay = await startRelay(t, { port, limits: 'ulimit -n 64' });
    const script = `
let right = 0;
await Promise.all(Array.from({ length: 150 }, async (_, index) => {
  const socket = await open(port);
  socket.write(Buffer.from([index]));
  const answer = await first(socket);
  if (answer?.[0] === index) right += 1;
  await sleep(5);
  socket.destroy();
}));
const [, text] = await askByUdp('still there');
say([right, text]);`;
    assert.deepEqual(await runThere(relay, port, script), [150, 'still there']);
  },
);

test(
  'clients of UDP that are gone leave no handle, and one that comes back is answered',
  { skip },
  async (t) => {
    const { port } = await startServers(t, echo);
    const relay = await startRelay(t, { port, idleS: 1, sanitized: noSanitizers === false });
    const before = handlesOf(relay);
    const ask = `
const all = await Promise.all(Array.from({ length: 300 }, (_, index) => askByUdp(String(index))));
say(all.filter(([, text], index) => text === String(index)).length);`;
    assert.equal(await runThere(relay, port, ask), 300);
    await waitUntil('flows that are silent end', goneLimitMs, () => handlesOf(relay) <= before);
    assert.equal(await runThere(relay, port, ask), 300);
  },
);

test('more flows of UDP than there are handles take the places of the silent ones', { skip }, async (t) => {
  const { port } = await startServers(t, echo);
  const relay = await startRelay(t, { port, limits: 'ulimit -n 64' });
  const script = `
let answers = 0;
for (let each = 0; each < 200; each += 1) {
  const [, text] = await askByUdp(String(each));
  if (text === String(each)) answers += 1;
}
const tcp = await open(port);
tcp.write('!');
say([answers, String(await first(tcp))]);`;
  assert.deepEqual(await runThere(relay, port, script), [200, '!']);
  assert.ok(handlesOf(relay) < 64);
});

test(
  'a client that does not read holds its server back, costs no CPU, and delays nobody',
  { skip },
  async (t) => {
    let sentBytes = 0;
    let quickAnswer = 'wait';
    const servers = await startServers(t, (socket) =>
      socket.once('data', (asked) => {
        if (String(asked) !== 'all') return socket.end(quickAnswer);
        const block = Buffer.alloc(1_000_000);
        const more = (): void => {
          while (!socket.destroyed && sentBytes < 200_000_000) {
            sentBytes += block.length;
            if (!socket.write(block)) return void socket.once('drain', more);
          }
          return void socket.end();
        };
        return more();
      }),
    );
    const { port } = servers;
    const relay = await startRelay(t, { port });
    const script = `
const stalled = await open(port);
stalled.pause();
stalled.write('all');
const ask = async () => {
  const socket = await open(port);
  socket.write('one');
  return String(await first(socket));
};
for (let answer = 'wait'; answer !== 'read'; answer = await ask()) await sleep(100);
let received = 0;
stalled.on('data', (chunk) => (received += chunk.length));
stalled.on('end', () => say(received));
stalled.resume();`;
    const ended = runThere(relay, port, script);
    let heldBytes = 0;
    await waitUntil('the server is held back', goneLimitMs, async () => {
      heldBytes = sentBytes;
      await sleep(500);
      return sentBytes > 0 && sentBytes === heldBytes;
    });
    // Where the relay had no CPU for a time, it has still what to hand on.
    await rests(relay, 400, 10);
    assert.ok(sentBytes < 100_000_000, `${sentBytes} bytes taken for a client that reads none`);
    assert.ok(statusOf(relay, 'VmRSS') < 20_000, 'it keeps what it should not have read');
    // A client beside is answered all the while.
    quickAnswer = 'read';
    assert.equal(await ended, 200_000_000);
  },
);

test(
  'each side may end first, a reset is passed on either way, and nothing spins or stays open then',
  { skip },
  async (t) => {
    const servers = await startServers(t, (socket) =>
      socket.once('data', (asked) => {
        const word = String(asked);
        if (word === 'end') socket.end('ended');
        if (word === 'reset') socket.resetAndDestroy();
        if (word === 'whole') socket.once('end', () => socket.end('whole'));
      }),
    );
    const { port } = servers;
    const relay = await startRelay(t, { port, sanitized: noSanitizers === false });
    const before = handlesOf(relay);
    const script = `
const ended = await open(port); ended.write('end');
const text = String(await first(ended)); ended.end();
const reset = await open(port); const code = new Promise((resolve) => reset.once('error', (thrown) => resolve(thrown.code)));
reset.write('reset');
const half = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
half.end('whole');
const whole = String(await first(half));
const silent = await open(port); silent.write('stay'); await sleep(300);
silent.resetAndDestroy();
say([text, await code, whole]);`;
    assert.deepEqual(await runThere(relay, port, script), ['ended', 'ECONNRESET', 'whole']);
    await waitUntil('the server has no connection left', goneLimitMs, () => servers.sockets.length === 0);
    await waitUntil('the relay has none', goneLimitMs, () => handlesOf(relay) <= before);
    await rests(relay, 300, 5);
  },
);

test(
  'the sanitizers find nothing while connections of every kind end in each other’s way',
  {
    skip: skip || noSanitizers,
  },
  async (t) => {
    let number = 0;
    const servers = await startServers(t, (socket) => {
      number += 1;
      const block = Buffer.alloc(300_000);
      if (number % 4 === 0) return socket.resetAndDestroy();
      if (number % 4 === 1) return void socket.end(block);
      if (number % 4 === 2) return void socket.write(block, () => socket.resetAndDestroy());
      return echo(socket);
    });
    const { port } = servers;
    const relay = await startRelay(t, { port, sanitized: true });
    const script = `
await Promise.all(Array.from({ length: 300 }, async (_, index) => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  if (index % 3 === 0) socket.pause(); else socket.resume();
  socket.write(Buffer.alloc(index * 1000));
  await sleep(index % 50);
  if (index % 2 === 0) socket.resetAndDestroy(); else socket.end();
  await sleep(200);
  socket.destroy();
}));
say('done');`;
    assert.equal(await runThere(relay, port, script), 'done');
    relay.child.stdin?.end();
    const [code] = (await once(relay.child, 'close')) as [number | null];
    assert.equal(code, 0);
  },
);
