import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exitCodes } from '../../src/core/model/exit-codes.ts';
import {
  execWorld,
  execWords,
  readReport,
  runExec,
  startSite,
  unchecked,
  type ExecWorld,
} from '../exec/exec-cases.ts';
import { projectDir } from '../support/cli.ts';
import { slowness } from '../support/processes.ts';

/** A server of UDP on this machine's loopback that sends back what comes. @returns its port */
async function startEcho(t: TestContext): Promise<number> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.on('message', (datagram, { port, address }) => socket.send(datagram, port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

/**
 * Sends its time every 20 ms for so long, waits for the last answers, and prints `[time sent, round trip]` of each, ms; a round trip
 * of null is of what was not answered.
 */
const asker = `const [port, forMs] = process.argv.slice(1).map(Number);
const socket = require('dgram').createSocket('udp4');
const answers = new Map();
socket.on('message', (text) => answers.set(Number(text), Date.now() - Number(text)));
const ask = () => {
  const nowMs = Date.now();
  if (answers.has(nowMs)) return;
  answers.set(nowMs, null);
  socket.send(String(nowMs), port, '127.0.0.1');
};
const timer = setInterval(ask, 20);
setTimeout(() => clearInterval(timer), forMs);
setTimeout(() => { console.log(JSON.stringify([...answers])); process.exit(); }, forMs + 800);`;

interface Answer {
  /** When it was asked, ms after the command began. */
  readonly atMs: number;
  /** Null: it was not answered. */
  readonly roundTripMs: number | null;
}

/** What a command behind a network asked and was answered over UDP. */
async function answersOver(
  t: TestContext,
  { folder, user }: ExecWorld,
  network: readonly string[],
  forMs: number,
): Promise<Answer[]> {
  const port = String(await startEcho(t));
  const json = join(user.environment['HOME'] ?? '', `${forMs}.json`);
  const words = ['--no-check', ...network, '--local', port, '--json', json];
  const command = [process.execPath, '-e', asker, port, String(forMs)];
  const { code, stdout, stderr } = await runExec(user, [...words, '--', ...command], folder);
  assert.equal(code, 0, stderr);
  const beganMs = Date.parse(readReport(json).runs[0]?.startedAt ?? '');
  return (JSON.parse(stdout) as [number, number | null][]).map(([sentMs, roundTripMs]) => ({
    atMs: sentMs - beganMs,
    roundTripMs,
  }));
}

/** How late a process may run on a machine that has time for it, ms: it may lose its CPU. */
const usualLateMs = 1000;
/** The clocks of the command and of the link begin within it, where neither loses its CPU just then. */
const beginsWithinMs = 30;
const outage = { atMs: 2000, forMs: 2000 } as const;

/** Between which times of the command the outage began, by what was answered. */
interface Began {
  readonly earliestMs: number;
  readonly latestMs: number;
  readonly said: string;
}

/**
 * Whatever is asked comes to the link then or later, and whatever is answered was let through twice: before the outage, or after it.
 * So it began after what was answered before it had been asked, and ended before the first answer behind it came. The middle of
 * the outage tells the two apart, also where it begins late.
 */
function beganBy(answers: readonly Answer[]): Began {
  const middleMs = outage.atMs + outage.forMs / 2;
  const came = answers.flatMap(({ atMs, roundTripMs }) =>
    roundTripMs === null ? [] : [{ atMs, cameMs: atMs + roundTripMs }],
  );
  const lastBeforeMs = Math.max(...came.filter(({ cameMs }) => cameMs < middleMs).map(({ atMs }) => atMs));
  const firstAfterMs = Math.min(
    ...came.filter(({ cameMs }) => cameMs >= middleMs).map(({ cameMs }) => cameMs),
  );
  // What is asked last may have no answer because nobody waits for it any more.
  const lost = answers.filter(({ atMs, roundTripMs }) => roundTripMs === null && atMs < firstAfterMs);
  const lastLostMs = lost.at(-1)?.atMs ?? NaN;
  return {
    earliestMs: Math.max(lastBeforeMs, lastLostMs - outage.forMs),
    latestMs: firstAfterMs - outage.forMs,
    said: `${lost.length} of ${answers.length} had no answer, asked from ${lost[0]?.atMs} to ${lastLostMs} ms; answered until ${lastBeforeMs} and from ${firstAfterMs} ms on`,
  };
}

test('an outage begins so long after the command as it says, and lasts so long', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const isWithin = ({ earliestMs, latestMs }: Began, ms: number): boolean =>
    earliestMs < outage.atMs + ms && latestMs > outage.atMs - ms;
  const tries: Began[] = [];
  // Of a process that lost its CPU as the clocks began, a try tells only that it was late: of three one must be exact.
  while (tries.length < 3 && !tries.some((one) => isWithin(one, beginsWithinMs))) {
    const began = beganBy(await answersOver(t, here, ['--network', 'cable', '--set', 'outage=2s@2s'], 6000));
    tries.push(began);
    assert.ok(began.earliestMs <= began.latestMs, `shorter than it says: ${began.said}`);
    assert.ok(isWithin(began, usualLateMs * slowness()), began.said);
  }
  assert.ok(
    tries.some((one) => isWithin(one, beginsWithinMs)),
    tries.map(({ said }) => said).join('\n'),
  );
});

test('a schedule of its own is followed from the beginning of the command on, and again', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const file = join(here.folder, 'tunnel.csv');
  // Of each round of 3.5 s packets take 150 ms each way from 1.5 to 2.5 s.
  writeFileSync(file, 't_ms,rate_mbps,delay_ms,loss_percent\n0,,10,\n1500,,150,\n2500,,10,\n');
  const rounds = [0, 3500, 7000];
  const answers = await answersOver(t, here, ['--rtt', '20ms', '--schedule', file], 9400);
  /** The least of what was asked in this time of each round, to which a busy machine adds least; null: nothing was asked in it. */
  const leastMs = (fromMs: number, toMs: number): (number | null)[] =>
    rounds.map((beginMs) => {
      const tookMs = answers.flatMap(({ atMs, roundTripMs }) =>
        roundTripMs !== null && atMs > beginMs + fromMs && atMs < beginMs + toMs ? [roundTripMs] : [],
      );
      return tookMs.length === 0 ? null : Math.min(...tookMs);
    });
  for (const [where, fromMs, toMs, fewestMs, mostMs] of [
    ['outside', 300, 1300, 20, 150],
    ['in the tunnel', 1600, 2200, 300, 450],
  ] as const) {
    const least = leastMs(fromMs, toMs);
    const said = `${least.join(', ')} ms ${where}`;
    assert.ok(
      least.every((ms) => ms === null || ms >= fewestMs),
      said,
    );
    assert.ok(least.filter((ms) => ms !== null && ms < mostMs).length >= 2, said);
  }
});

test('with family=6 a command asks a server at the far end over IPv6', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const serve = `require('http').createServer((q, r) => r.end(q.socket.remoteFamily)).listen(8000, '::')`;
  const ask = `fetch('http://[' + process.env.H2H3_FAR + ']:8000').then((r) => r.text()).then((text) => console.log(text, process.env.H2H3_FAR))`;
  const words = [...unchecked('dsl'), '--set', 'family=6', '--far', `${process.execPath} -e "${serve}"`];
  const { code, stdout, stderr } = await runExec(user, [...words, '--', process.execPath, '-e', ask], folder);
  if (/has no IPv6/.test(stderr)) return t.skip('the kernel of this machine has no IPv6');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^IPv6 [0-9a-f:]+\n$/);
});

test('what no command could reach is refused before it starts: IPv6 to this machine, and a port at which nothing listens', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const run = (...words: string[]) =>
    runExec(user, [...unchecked('cable'), '--local', port, ...words, '--', 'echo', 'started'], folder);
  const overV6 = await run('--set', 'family=6');
  assert.deepEqual([overV6.code, overV6.stdout], [exitCodes.usage, ''], overV6.stderr);
  assert.match(overV6.stderr, /led over IPv4\n {2}next: Start a server at the far end by --far/);
  server.close();
  await once(server, 'close');
  const unheard = await run();
  assert.deepEqual([unheard.code, unheard.stdout], [exitCodes.unsupported, ''], unheard.stderr);
  assert.match(
    unheard.stderr,
    new RegExp(`nothing listens at localhost:${port}\\n {2}next: Start the server`),
  );
});

/** Says how quickly a site answers, changes the network, says it again, and tries what no network can be. */
const changingClient = (port: number): string => `import { joinLink } from '${projectDir}/src/link/index.ts';
const link = joinLink();
const leastMs = async () => {
  let least = Infinity;
  for (let each = 0; each < 5; each += 1) {
    const beganMs = performance.now();
    await fetch('http://localhost:${port}/').then((answer) => answer.text());
    least = Math.min(least, performance.now() - beganMs);
  }
  return least;
};
const refusalOf = (change) => link.set(change).then(() => 'taken', ({ message }) => message);
const plainMs = await leastMs();
await link.set({ delayMs: 150 });
const lateMs = await leastMs();
const refusals = [await refusalOf({ lossPercent: 101 }), await refusalOf({ rateMbps: 10000, delayMs: 60000 })];
const { counters, flows } = await link.report();
console.log(JSON.stringify({ network: link.network, plainMs, lateMs, refusals, bytes: counters.receivedBytes, flows: flows.length }));
`;

interface Changed {
  readonly network: string;
  readonly plainMs: number;
  readonly lateMs: number;
  readonly refusals: readonly string[];
  readonly bytes: number;
  readonly flows: number;
}

test('a program changes the network that it is behind and reads its counters, and the next run has the own one again', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const port = await startSite(t);
  const json = join(user.environment['HOME'] ?? '', 'changed.json');
  writeFileSync(join(folder, 'client.mjs'), changingClient(port));
  const words = [...unchecked('cable'), '--local', String(port), '--repeat', '2', '--json', json];
  const command = [process.execPath, join(folder, 'client.mjs')];
  const { code, stdout, stderr } = await runExec(user, [...words, '--', ...command], folder);
  assert.equal(code, 0, stderr);
  const runs = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Changed);
  assert.equal(runs.length, 2, stdout);
  for (const { network, plainMs, lateMs, refusals, bytes, flows } of runs) {
    assert.equal(network, 'cable');
    assert.ok(plainMs >= 20 && plainMs < 300, `${plainMs} ms over cable`);
    assert.ok(lateMs >= 300, `${lateMs} ms with 150 ms each way`);
    assert.match(refusals[0] ?? '', /lossPercent/);
    assert.match(
      refusals[1] ?? '',
      /cannot be set so: 50000000 packets would be under way[^]*next: Set a lower rate/,
    );
    assert.ok(bytes > 0 && flows > 0, stdout);
  }
  const report = readReport(json);
  assert.deepEqual(
    report.runs.map(({ changes }) => changes),
    [1, 1],
  );
  // Each run's counters are its own.
  assert.ok((runs[1]?.bytes ?? Infinity) <= (report.runs[1]?.counters['receivedBytes'] ?? 0), stdout);
  assert.match(stderr, /cable: the command changed it 1 time\n/);
});

test('a second link within a network is refused, by the command and by the library, and none is allowed', async (t) => {
  const here = await execWorld(t);
  if (here === null) return;
  const { folder, user } = here;
  const port = String(await startSite(t));
  const outer = [...unchecked('cable'), '--local', port, '--'];
  const within = (network: string): readonly string[] =>
    execWords(null, [...unchecked(network), '--no-outside', '--', 'echo', 'started']);
  const refused = await runExec(user, [...outer, ...within('dsl')], folder);
  assert.deepEqual([refused.code, refused.stdout], [exitCodes.unsupported, ''], refused.stderr);
  assert.match(refused.stderr, /behind the network cable already[^]*next: Leave out one of the two/);
  const allowed = await runExec(user, [...outer, ...within('none')], folder);
  assert.deepEqual([allowed.code, allowed.stdout], [0, 'started\n'], allowed.stderr);
  const library = `import { startLink } from '${projectDir}/src/link/index.ts';
await startLink({ network: 'dsl' }).then(() => console.log('started'), ({ message }) => console.log(message));`;
  writeFileSync(join(folder, 'library.mjs'), library);
  const inside = await runExec(user, [...outer, process.execPath, join(folder, 'library.mjs')], folder);
  assert.match(inside.stdout, /^h2h3: this is behind the network cable already/);
});
