import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { exitCodes } from '../../src/core/model/exit-codes.ts';
import { execWords, readReport, runExec, startSite } from '../exec/exec-cases.ts';
import { projectDir, startProgram } from '../support/cli.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { slowness, startLimitMs } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Of the network dsl: 17.5 ms each way, 25 Mbit/s down. */
const rttMs = 35;
const bytes = 1_000_000;
const leastMs = (bytes * 8) / 25_000 + 2 * rttMs;
/** What a machine that has time for it may add, and a busy one as many times as it is slow. */
const slackMs = 2_000;

/** Times of curl in ms: connection, first byte, whole; then bytes. */
const written = '%{time_appconnect} %{time_starttransfer} %{time_total} %{size_download}\\n';

test('where no namespace can be made, --proxy shapes TCP of curl over SOCKS5 and CONNECT, and says what it cannot', async (t) => {
  if (spawnSync('curl', ['--version']).status !== 0) return t.skip('there is no curl');
  const folder = tempFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  // Neither as root, nor in a user namespace, nor by sudo.
  for (const name of ['unshare', 'sudo'])
    writeFileSync(join(bin, name), '#!/bin/sh\necho "not permitted" >&2\nexit 1\n', { mode: 0o755 });
  const port = await startSite(t);
  const url = `http://localhost:${port}/${bytes}`;
  const json = join(folder, 'report.json');
  const curl = `curl -sS -o /dev/null -w '${written}'`;
  // A busy machine adds least to the quickest of three.
  const thrice = (words: string): string => Array<string>(3).fill(`${curl} ${words} ${url}`).join('; ');
  const script = `${thrice('')}; ${thrice('--proxytunnel --proxy $HTTPS_PROXY')}; echo $H2H3_PROXY`;
  const path = ['--network', 'dsl', '--local', String(port)];
  const command = ['--', 'sh', '-c', script];
  // A proxy of the caller's, and its exceptions, would lead past this one.
  const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, NO_PROXY: 'localhost', HTTP_PROXY: 'x' };
  const options = { cwd: folder };
  const without = await startProgram(execWords(null, [...path, ...command]), environment, options).result;
  assert.equal(without.code, exitCodes.unsupported, without.stderr);
  assert.match(
    without.stderr,
    /no permission to make network namespaces[^]*Or add --proxy, which shapes TCP/,
  );
  const words = [...path, '--proxy', '--json', json, ...command];
  const { code, stdout, stderr } = await startProgram(execWords(null, words), environment, options).result;
  assert.equal(code, 0, stderr);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 7, stdout);
  const proxy = lines.at(-1);
  for (const way of [lines.slice(0, 3), lines.slice(3, 6)]) {
    const loads = way.map((line) => line.split(' ').map(Number));
    for (const [, firstS = NaN, totalS = NaN, size] of loads) {
      assert.equal(size, bytes, stdout);
      assert.ok(firstS * 1000 >= 2 * rttMs, `first byte: ${stdout}`);
      assert.ok(totalS * 1000 >= leastMs, `${leastMs} ms at least: ${stdout}`);
    }
    const quickestMs = (field: number): number =>
      Math.min(...loads.map((load) => (load[field] ?? NaN) * 1000));
    const addedMs = slackMs * slowness();
    assert.ok(quickestMs(1) < 2 * rttMs + addedMs && quickestMs(2) < leastMs + addedMs, stdout);
  }
  assert.match(proxy ?? '', /^socks5:\/\/127\.0\.0\.1:\d+$/);
  assert.match(stderr, /a proxy shapes rate and delay of TCP alone[^]*not QUIC, UDP, WebRTC/);
  assert.match(stderr, /dsl: 6 MB down; \d+ bytes up; connections 6/);
  const { networks, runs } = readReport(json);
  assert.deepEqual([networks[0]?.backend, networks[0]?.privilege], ['proxy', 'none']);
  assert.ok((runs[0]?.counters['receivedBytes'] ?? 0) > 6 * bytes, JSON.stringify(runs[0]?.counters));
});

/** A user in whose namespace the kernel makes no further ones: its limit counts there alone (namespaces(7)). */
const closedIn = [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"',
  'sh',
];

test('where the kernel closes user namespaces, the command that opens them is said, and --proxy does without', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  if (spawnSync(closedIn[0] ?? '', [...closedIn.slice(1), 'true']).status !== 0)
    return t.skip('no namespace can be closed here');
  const cwd = tempFolder(t);
  const port = await startSite(t);
  const run = (...words: string[]) => {
    const command = [
      '--local',
      String(port),
      ...words,
      '--',
      process.execPath,
      '-e',
      'console.log(process.env.H2H3_PROXY)',
    ];
    return startProgram([...closedIn, ...execWords(null, ['--network', 'dsl', ...command])], {}, { cwd })
      .result;
  };
  const refused = await run();
  assert.deepEqual([refused.code, refused.stdout], [exitCodes.unsupported, ''], refused.stderr);
  assert.match(
    refused.stderr,
    /next: Open user namespaces until the next start: sudo sysctl user\.max_user_namespaces=10000\. Or add --proxy/,
  );
  const proxied = await run('--proxy');
  assert.equal(proxied.code, 0, proxied.stderr);
  assert.match(proxied.stdout, /^socks5:\/\/127\.0\.0\.1:\d+\n$/);
});

test('a browser that is told of the proxy loads a page of localhost across it', async (t) => {
  const { executablePath } = await resolveClient('embedded', await createSetupContext({ projectDir }));
  const folder = tempFolder(t);
  const port = await startSite(t);
  const file = join(folder, 'page.mjs');
  writeFileSync(
    file,
    `import puppeteer from '${import.meta.resolve('puppeteer-core')}';
const args = ['--no-sandbox', '--proxy-server=' + process.env.H2H3_PROXY, '--proxy-bypass-list=<-loopback>'];
const timeout = ${startLimitMs};
const browser = await puppeteer.launch({ executablePath: '${executablePath}', headless: 'shell', args, timeout });
const page = await browser.newPage();
page.setDefaultTimeout(timeout);
await page.goto('http://localhost:${port}/${bytes}');
console.log(await page.evaluate(() => {
  const [own] = performance.getEntriesByType('navigation');
  return [own.responseStart - own.requestStart, own.responseEnd - own.responseStart, isSecureContext].join(' ');
}));
await browser.close();
`,
  );
  const words = ['--network', 'dsl', '--proxy', '--', process.execPath, file];
  const { code, stdout, stderr } = await runExec(null, words, folder);
  assert.equal(code, 0, stderr);
  const [waitedMs = '', loadedMs = '', isSecure] = stdout.trim().split(' ');
  assert.ok(
    Number(waitedMs) >= rttMs - 1 && Number(waitedMs) < (rttMs + slackMs) * slowness(),
    `${waitedMs} ms to the answer`,
  );
  // Of a second connection's time nothing is known: the first bytes come with the answer.
  assert.ok(Number(loadedMs) >= (bytes * 8) / 25_000 / 2, `${loadedMs} ms for ${bytes} bytes`);
  assert.equal(isSecure, 'true');
});

test('what a proxy cannot do is refused before the command starts, and a server that is not there is refused to the command', async (t) => {
  const folder = tempFolder(t);
  const refusals = [
    [['--network', '4g'], /the network 4g is more than a rate and a delay/],
    [['--rtt', '40ms', '--loss', '1%'], /the network own is more than a rate and a delay[^]*packet loss/],
    [['--network', 'cable', '--set', 'mtu=1400'], /cable cannot be set so: a proxy shapes rate and delay/],
    [['--network', 'cable', '--local', '1'], /nothing listens at localhost:1\n/],
  ] as const;
  for (const [words, expected] of refusals) {
    const refused = await runExec(null, [...words, '--proxy', '--', 'echo', 'started'], folder);
    assert.ok([exitCodes.usage, exitCodes.unsupported].includes(refused.code as 2 | 3), refused.stderr);
    assert.equal(refused.stdout, '');
    assert.match(refused.stderr, expected);
  }
  if (spawnSync('curl', ['--version']).status !== 0) return t.diagnostic('there is no curl');
  const free = await chooseAnyPort();
  const asked = ['--network', 'dsl', '--proxy', '--', 'curl', '-sS', `http://localhost:${free}/`];
  const { code, stderr } = await runExec(null, asked, folder);
  assert.equal(code, 97, stderr);
  assert.match(stderr, /SOCKS5/);
});
