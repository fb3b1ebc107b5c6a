import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { logLength, readAccessLog } from '../../../../harness/servers/access-log.ts';
import { parseCaddyLine } from '../../../../harness/servers/caddy.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function line(uri: string, proto = 'HTTP/3.0'): string {
  const request = { remote_ip: '127.0.0.1', proto, method: 'GET', host: 'A.test:4433', uri };
  return `${JSON.stringify({ level: 'info', ts: 1000.25, request, duration: 0.25, size: 42, status: 200 })}\n`;
}

const logIn = (folder: string): string => path.join(folder, 'access.log');

test('an entry has the host without its port, the path with query, and the start of the response', () => {
  assert.deepEqual(parseCaddyLine(line('/x.js?v=1')), {
    host: 'a.test',
    path: '/x.js?v=1',
    method: 'GET',
    protocol: 'h3',
    status: 200,
    bytes: 42,
    family: 4,
    startEpochMs: 1_000_000,
    durationMs: 250,
  });
});

test('of an answer that was cut off, which has no duration, the log says when its request came', () => {
  const cut = { ...(JSON.parse(line('/big')) as object), duration: 0 };
  const entry = parseCaddyLine(JSON.stringify({ ...cut, began: '998000' }));
  assert.deepEqual([entry?.startEpochMs, entry?.durationMs], [998_000, 2250]);
  const older = parseCaddyLine(JSON.stringify(cut));
  assert.deepEqual([older?.startEpochMs, older?.durationMs], [1_000_250, 0]);
});

test('an entry tells whether its TLS session was resumed, where the server says so', () => {
  const resumed = (tls?: object): boolean | undefined => {
    const entry = JSON.parse(line('/')) as { request: object };
    return parseCaddyLine(JSON.stringify({ ...entry, request: { ...entry.request, tls } }))?.resumed;
  };
  assert.deepEqual(
    [resumed({ resumed: true }), resumed({ resumed: false }), resumed()],
    [true, false, undefined],
  );
});

test('every protocol of the server has its short name, an unknown one stays as it is', () => {
  const names = ['HTTP/1.1', 'HTTP/2.0', 'HTTP/3.0', 'HTTP/9'].map(
    (name) => parseCaddyLine(line('/', name))?.protocol,
  );
  assert.deepEqual(names, ['h1', 'h2', 'h3', 'HTTP/9']);
});

test('a torn line is no entry and does not hide the others', async (t) => {
  const file = logIn(tempFolder(t));
  appendFileSync(file, `${line('/a')}{"ts": 12, "requ\n${line('/b')}`);
  const entries = await readAccessLog(file, parseCaddyLine, 0, ['a.test/a', 'a.test/b']);
  assert.deepEqual(
    entries.map((entry) => entry.path),
    ['/a', '/b'],
  );
});

test('only what was logged after the mark is read', async (t) => {
  const file = logIn(tempFolder(t));
  assert.equal(await logLength(file), 0);
  appendFileSync(file, line('/old'));
  const mark = await logLength(file);
  appendFileSync(file, line('/new'));
  const entries = await readAccessLog(file, parseCaddyLine, mark, []);
  assert.deepEqual(
    entries.map((entry) => entry.path),
    ['/new'],
  );
});

test('an awaited entry is waited for, also when its line comes in two pieces', async (t) => {
  const file = logIn(tempFolder(t));
  const text = line('/late');
  appendFileSync(file, text.slice(0, 30));
  const reading = readAccessLog(file, parseCaddyLine, 0, ['a.test/late']);
  await sleep(100);
  appendFileSync(file, text.slice(30));
  assert.equal((await reading)[0]?.path, '/late');
});

test('an entry awaited twice is waited for twice, and what never comes stays missing after some seconds', async (t) => {
  const file = logIn(tempFolder(t));
  appendFileSync(file, line('/a'));
  const started = performance.now();
  const entries = await readAccessLog(file, parseCaddyLine, 0, ['a.test/a', 'a.test/a']);
  assert.equal(entries.length, 1);
  assert.ok(performance.now() - started >= 900);
});
