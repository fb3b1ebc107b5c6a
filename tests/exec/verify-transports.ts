/** What `npm run verify:exec` asks besides curl: loss of datagrams each way, round trip and rate of WebSocket. */
import { join } from 'node:path';
import { proportionInterval } from '../support/proportion-interval.ts';
import { readReport, runExec } from './exec-cases.ts';
import { farVariable, type Reach, type Tolerated, type VerifyPlace } from './verify-reach.ts';

const lossPercent = 2;
const datagrams = 10_000;
/** Of 1000 runs over a path that is as it says, one is called wrong. */
const level = 0.999;

/** In each program: the host as it is given, and a wait until its servers listen. */
const begin = `const [given, ...ports] = process.argv.slice(1);
const host = given.replace('${farVariable}', process.env.H2H3_FAR);
const ready = async (port) => {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch('http://' + host + ':' + port + '/').catch(() => undefined);
    if (answer !== undefined) return answer.text();
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('nothing answers at ' + host + ':' + port);
};`;

/** Sends numbered datagrams, ten every 10 ms, and prints how many of them came, and how many came back. The server counts those of all. */
const asker = `${begin}
const [udpPort, socketPort] = ports.map(Number);
const address = host.replace(/[[\\]]/g, '');
const socket = require('dgram').createSocket(address.includes(':') ? 'udp6' : 'udp4');
let sent = 0, answered = 0;
socket.on('message', () => { answered += 1; });
ready(socketPort).then((before) => {
  const timer = setInterval(() => {
    for (let index = 0; index < 10 && sent < ${datagrams}; index += 1) socket.send(String(sent++), udpPort, address);
    if (sent < ${datagrams}) return;
    clearInterval(timer);
    setTimeout(async () => { console.log(await ready(socketPort) - before, answered); process.exit(); }, 1000);
  }, 10);
});`;

/** Loss of datagrams each way, against the interval in which its share lies by chance. */
export async function verifyLoss({ user, folder, note }: VerifyPlace, reach: Reach): Promise<void> {
  const path = ['--no-check', '--rtt', '20ms', '--loss', `${lossPercent}%`, ...reach.across];
  const ports = [String(reach.udpPort), String(reach.socketPort)];
  const command = [process.execPath, '-e', asker, reach.hostAcross, ...ports];
  const { code, stdout, stderr } = await runExec(user, [...path, '--', ...command], folder);
  if (code !== 0) return note(`${reach.title}, loss`, `exit ${code}: ${stderr}`, false);
  const [came = NaN, answered = NaN] = stdout.trim().split(' ').map(Number);
  const ways = [
    ['up', datagrams, came],
    ['down', came, answered],
  ] as const;
  for (const [direction, sent, received] of ways) {
    const [low, high] = proportionInterval(sent - received, sent, level) ?? [NaN, NaN];
    const percent = (share: number): string => (100 * share).toFixed(2);
    note(
      `${reach.title}, loss ${direction}, UDP`,
      `${percent((sent - received) / sent)} % of ${sent}, which ${percent(low)} to ${percent(high)} % can give, set ${lossPercent} %`,
      low <= lossPercent / 100 && lossPercent / 100 <= high,
    );
  }
}

const messages = 60;
const smallBytes = 2_000_000;
const largeBytes = 8_000_000;
/** After each message a pause of so many ms. Prints the shortest time of one to its echo, and the times in which few and many bytes come, ms. */
const messenger = `${begin}
const ask = (socket, text) => new Promise((done) => {
  const beganMs = performance.now();
  socket.onmessage = () => done(performance.now() - beganMs);
  socket.send(text);
});
ready(ports[0]).then(() => {
  const socket = new WebSocket('ws://' + host + ':' + ports[0]);
  socket.onerror = () => process.exit(1);
  socket.onopen = async () => {
    const waits = [];
    for (let index = 0; index < ${messages}; index += 1) {
      waits.push(await ask(socket, 'twenty letters, here'));
      await new Promise((done) => setTimeout(done, Number(ports[1])));
    }
    // The sender knows the link by then.
    await ask(socket, 'bytes ${smallBytes}');
    console.log(Math.min(...waits), await ask(socket, 'bytes ${smallBytes}'), await ask(socket, 'bytes ${largeBytes}'));
    process.exit();
  };
});`;

/** A round trip of messages over WebSocket across the network's delays alone, against none, and the rate of long ones across the network. */
export async function verifyWebSocket(
  { user, folder, note }: VerifyPlace,
  reach: Reach,
  { spec, rttToleranceMs, rateTolerance }: Tolerated,
): Promise<void> {
  const json = join(user?.environment['HOME'] ?? folder, `socket-${reach.family}.json`);
  const run = (words: readonly string[], host: string, pauseMs = 0) => {
    const command = [process.execPath, '-e', messenger, host, String(reach.socketPort), String(pauseMs)];
    return runExec(user, ['--no-check', ...words, '--', ...command], folder);
  };
  const rttMs = spec.up.delayMs + spec.down.delayMs;
  // As rarely as with the path: programs take longer for what comes after a rest.
  const bare = await run(['--network', 'none', ...reach.without], reach.hostWithout, rttMs);
  const delayed = await run(['--rtt', `${rttMs}ms`, ...reach.across], reach.hostAcross);
  const shaped = await run(['--network', spec.id, ...reach.across, '--json', json], reach.hostAcross);
  const what = `${reach.title}, WebSocket`;
  const all = [bare, delayed, shaped];
  if (all.some(({ code }) => code !== 0))
    return note(what, all.map(({ code, stderr }) => `exit ${code}: ${stderr}`).join('\n'), false);
  const numbersIn = (text: string): number[] => text.trim().split(' ').map(Number);
  const [withoutMs = NaN] = numbersIn(bare.stdout);
  const [laterMs = NaN] = numbersIn(delayed.stdout);
  const [, smallMs = NaN, largeMs = NaN] = numbersIn(shaped.stdout);
  const addedMs = laterMs - withoutMs;
  note(
    `${what}, round trip`,
    `${addedMs.toFixed(2)} ms more than without, set ${rttMs} ± ${rttToleranceMs.toFixed(1)}`,
    Math.abs(addedMs - rttMs) <= rttToleranceMs,
  );
  const { counters = {} } = readReport(json).runs[0] ?? {};
  const perByte = (counters['emulatorDownBytes'] ?? NaN) / (2 * smallBytes + largeBytes);
  const mbps = ((largeBytes - smallBytes) * 8 * perByte) / 1000 / (largeMs - smallMs);
  const setMbps = spec.down.rateMbps ?? NaN;
  note(
    `${what}, rate`,
    `${mbps.toFixed(2)} Mbit/s on the path, set ${setMbps} ± ${setMbps * rateTolerance}`,
    Math.abs(mbps - setMbps) <= setMbps * rateTolerance,
  );
}
