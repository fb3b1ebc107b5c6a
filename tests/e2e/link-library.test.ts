import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { joinLink, startLink } from '../../src/link/index.ts';
import { projectDir } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import {
  processTree,
  readProcessTable,
  type ProcessRow,
} from '../../src/core/system/processes/process-table.ts';
import { newPage } from '../support/opened-report.ts';
import { slowness, startLimitMs } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);

/**
 * Asks again and again over one connection, and prints how long the quickest answer but the first took in ms, to which a busy
 * machine adds least; `none` where none came in time.
 */
const client = `const [port, patienceMs] = process.argv.slice(1);
const signal = () => AbortSignal.timeout(Number(patienceMs));
const ask = () => fetch('http://localhost:' + port, { signal: signal() }).then((answer) => answer.text());
ask().then(async () => {
  let leastMs = Infinity;
  for (let each = 0; each < 5; each += 1) {
    const beganMs = performance.now();
    await ask();
    leastMs = Math.min(leastMs, performance.now() - beganMs);
  }
  console.log(leastMs);
}).catch(() => console.log('none'));`;
const usualPatienceMs = 60_000;
/** Where nothing can come, however long it is waited for. */
const outagePatienceMs = 2_000;

/** What the client prints behind the link that wraps this Node; infinity where none came in time. */
async function leastAnswerMs(node: string, port: number, patienceMs = usualPatienceMs): Promise<number> {
  const { stdout } = await run(node, ['-e', client, String(port), String(patienceMs)]);
  return Number(stdout.replace('none', 'Infinity'));
}

test('a program of a test is behind a network that the test changes while it is up', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const link = await startLink({ network: 'cable', local: [port], check: true });
  t.after(() => link.stop());
  // The quick one; on a busy machine it may find the path late.
  assert.match(link.lines.join('\n'), /cable: .*\b9 checks of the path (?:passed|failed)/);
  const node = await link.wrap(process.execPath);
  const askedMs = (patienceMs?: number): Promise<number> => leastAnswerMs(node, port, patienceMs);
  const plainMs = await askedMs();
  assert.ok(plainMs >= 20, `${plainMs} ms`);
  await link.set({ delayMs: 150 });
  const lateMs = await askedMs();
  assert.ok(lateMs >= 300 && lateMs < 1500 * slowness(), `${lateMs} ms`);
  assert.ok(plainMs < lateMs, `${plainMs} ms, and later ${lateMs} ms`);
  await link.set('outage');
  assert.equal(await askedMs(outagePatienceMs), Infinity);
  await link.set({});
  const againMs = await askedMs();
  assert.ok(againMs >= 20 && againMs < lateMs, `${againMs} ms`);
  await assert.rejects(link.set({ lossPercent: 101 }), /lossPercent/);
});

test('Puppeteer drives a browser that is behind a network', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const client = await resolveClient('embedded', await createSetupContext({ projectDir }));
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>behind</title>'),
  ).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const link = await startLink({ network: 'cable', local: [port] });
  t.after(() => link.stop());
  const browser = await puppeteer.launch({
    executablePath: await link.wrap(client.executablePath),
    pipe: true,
    args: ['--no-sandbox'],
    timeout: startLimitMs,
  });
  t.after(() => browser.close());
  const page = await newPage(browser);
  await page.goto(`http://localhost:${port}/`);
  assert.equal(await page.title(), 'behind');
  const waitedMs = Number(
    await page.evaluate(
      `performance.getEntriesByType('navigation').map((entry) => entry.responseStart - entry.requestStart)[0]`,
    ),
  );
  // A round trip of cable.
  assert.ok(waitedMs >= 20, `${waitedMs} ms`);
});

/** A site of this test. @returns its port */
async function startSite(t: TestContext): Promise<number> {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('each program that is wrapped stays the one that it was', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const link = await startLink({ network: 'none' });
  t.after(() => link.stop());
  const node = await link.wrap(process.execPath);
  const echo = await link.wrap('/bin/echo');
  assert.equal((await run(echo, ['text'])).stdout, 'text\n');
  assert.equal((await run(node, ['-p', '6 * 7'])).stdout, '42\n');
  // It would be behind one of two links alone.
  await assert.rejects(
    link.wrap(node),
    /starts a program behind a network already[^]*next: Wrap the program itself/,
  );
});

test('a program that no network is around cannot join one', () => {
  assert.throws(
    () => joinLink(),
    /behind no network\n {2}next: Start it by npx h2h3 exec --network cable -- COMMAND/,
  );
});

test('two networks are up at once, one by name and one by figures, and each program is behind its own', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const port = await startSite(t);
  const links = await Promise.all([
    startLink({ network: 'cable', local: [port] }),
    startLink({ down: '10mbit', up: '2mbit', rtt: '160ms', local: [port] }),
  ]);
  t.after(() => Promise.all(links.map((link) => link.stop())));
  const [cableMs = NaN, ownMs = NaN] = await Promise.all(
    links.map(async (link) => leastAnswerMs(await link.wrap(process.execPath), port)),
  );
  assert.ok(cableMs >= 20 && cableMs < ownMs, `${cableMs} ms over cable`);
  assert.ok(ownMs >= 160 && ownMs < 1000 * slowness(), `${ownMs} ms over its own figures`);
  for (const link of links) {
    const { counters, flows } = await link.report();
    assert.ok((counters['receivedBytes'] ?? 0) > 0, JSON.stringify(counters));
    assert.ok(flows !== undefined);
  }
});

test('a network by figures follows a schedule from its beginning on', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const port = await startSite(t);
  const schedule = join(tempFolder(t), 'late.csv');
  writeFileSync(schedule, 't_ms,rate_mbps,delay_ms,loss_percent\n0,,10,\n20000,,150,\n40000,,10,\n');
  const link = await startLink({ rtt: '20ms', schedule, local: [port] });
  t.after(() => link.stop());
  const node = await link.wrap(process.execPath);
  await link.begin();
  const answerMs = await leastAnswerMs(node, port);
  assert.ok(answerMs >= 20 && answerMs < 300, `${answerMs} ms`);
});

test('what a link cannot have is refused: no network, two of them, IPv6 to this machine, a port at which nothing listens', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const port = await startSite(t);
  await assert.rejects(startLink({}), /no network is named/);
  await assert.rejects(startLink({ network: 'cable', rtt: '80ms' }), /a link has one network/);
  await assert.rejects(startLink({ rtt: '80' }), /rtt wants a time/);
  await assert.rejects(startLink({ network: 'cable', set: { family: '6' }, local: [port] }), /led over IPv4/);
  await assert.rejects(startLink({ network: 'cable', local: [1] }), /nothing listens at localhost:1/);
});

test('nothing of a network is left when it is stopped, and an unknown one is refused with the nearest', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const link = await startLink({ network: 'dsl' });
  await link.begin();
  assert.ok((await link.report()).flows !== undefined);
  // Others of this machine have networks, too: only what this process started is looked for.
  const below = (): ProcessRow[] =>
    processTree(readProcessTable(), process.pid).filter(({ zombie }) => !zombie);
  const keepers = below().filter(({ commandLine }) => commandLine.includes('serve-path'));
  assert.equal(keepers.length, 1);
  const ofNetwork = new Set(keepers.flatMap(({ pid }) => processTree(below(), pid)).map(({ pid }) => pid));
  assert.ok(ofNetwork.size > 1, 'a keeper, and what it started');
  await link.stop();
  assert.deepEqual(
    readProcessTable().filter(({ pid, zombie }) => ofNetwork.has(pid) && !zombie),
    [],
  );
  await assert.rejects(startLink({ network: 'cabel' }), /unknown network "cabel"[^]*cable/);
});
