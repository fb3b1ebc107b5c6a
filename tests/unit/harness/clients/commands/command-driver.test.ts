import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../../harness/clients/client.ts';
import type { ClientLaunchOptions, Load } from '../../../../../harness/clients/client-driver.ts';
import type { CommandClient } from '../../../../../harness/clients/commands/command-client.ts';
import { curl } from '../../../../../harness/clients/commands/curl.ts';
import { commandDriver } from '../../../../../harness/clients/commands/command-driver.ts';
import { firstHopOf } from '../../../../../harness/testbed/testbed-request.ts';
import { cpuBetween, cpuSnapshot } from '../../../../../src/core/system/processes/process-cpu.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import type { PreparedWorkload } from '../../../../../src/core/model/workload.ts';

const url = 'https://files.h2h3.test:8443/5.bin';

/** A client that is a shell script; each line it prints is the size of a body. */
function scripted(script: string): CommandClient {
  return {
    id: 'scripted',
    title: 'Scripted',
    programs: ['sh'],
    installHint: '',
    timeLimitExitCode: 28,
    parseVersion: () => ({ version: '1', protocols: ['h1', 'h2'] }),
    arguments: () => ['-c', script],
    transfers: (stdout) =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({
          url,
          status: 200,
          protocol: 'h2',
          bodyBytes: Number(line),
          headerBytes: 10,
          mimeType: '',
          connectStartMs: 1,
          connectEndMs: 2,
          requestStartMs: 3,
          responseStartMs: 4,
          endMs: 5,
        })),
  };
}

const identity: ClientIdentity = {
  id: 'scripted',
  family: 'scripted',
  name: 'Scripted',
  version: '1',
  build: 'command-line',
  source: 'system',
  executablePath: '/bin/sh',
  headed: false,
  environment: {},
  protocols: ['h1', 'h2'],
};
const options: ClientLaunchOptions = {
  client: identity,
  protocol: 'h2',
  profileDir: '',
  spkiHash: '',
  hosts: [],
  server: null,
  headed: false,
  mediaBufferMegabytes: 0,
  frames: false,
  instrumentation: 'uninstrumented',
  requests: { urls: [url], bodyBytes: 5, limitMs: 5000 },
};
const load = (keep: Load['keep'] = () => undefined): Load => ({
  workload: {} as PreparedWorkload,
  url,
  leftMs: () => 10_000,
  keep,
  keepStep: () => undefined,
  keepTimeline: () => undefined,
  keepSecret: () => undefined,
});

test('its transfers become a session and a HAR, and its CPU time counts though it has ended', async () => {
  const client = await commandDriver(
    scripted('i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo 5'),
  ).start(options);
  const before = cpuSnapshot(client.rootPid);
  const { session } = await client.load(load());
  const used = cpuBetween(before, cpuSnapshot(client.rootPid), (line) => client.processRole(line));
  const record = await client.stopRecording();
  await client.close();
  assert.equal(session?.kind === 'download' && session.streams[0]?.bytes, 5);
  assert.equal((await record.buildHar!()).log.entries[0]?.response.httpVersion, 'h2');
  assert.ok(used.some(({ role, userSeconds }) => role === 'network' && userSeconds > 0));
  assert.throws(() => process.kill(client.rootPid, 0));
});

test('what came before it failed or ran out of time is kept', async () => {
  for (const [exitCode, code] of [
    [28, 'deadline'],
    [7, 'process-failed'],
  ] as const) {
    const client = await commandDriver(scripted(`echo 2; exit ${exitCode}`)).start(options);
    let kept = 0;
    const thrown: unknown = await client
      .load(load((session) => (kept = session.kind === 'download' ? (session.streams[0]?.bytes ?? 0) : 0)))
      .then(
        () => null,
        (error: unknown) => error,
      );
    await client.close();
    assert.ok(thrown instanceof H2h3Error && thrown.code === code, String(thrown));
    assert.equal(kept, 2);
  }
});

test('what it cannot do is said before it is started', () => {
  const driver = commandDriver(scripted(''));
  const refusal = (...asked: Parameters<NonNullable<typeof driver.refusal>>): string =>
    driver.refusal?.(...asked) ?? '';
  const workload = { id: 'w', kind: 'download' } as const;
  assert.equal(refusal(identity, workload, 'h2'), '');
  assert.match(refusal(identity, workload, 'h3'), /speaks no HTTP\/3/);
  assert.match(refusal(identity, { ...workload, view: 'repeat' }, 'h2'), /no cache/);
  assert.match(refusal(identity, { id: 'w', kind: 'page' }, 'h2'), /has no page/);
});

test('what it uploaded becomes a session of uploads, and an answer other than 2xx is its failure', async () => {
  const body = { file: '/body.bin', contentType: '' };
  const uploading = { ...options, requests: { urls: [url], bodyBytes: 5, limitMs: 5000, body } };
  const client = await commandDriver(scripted('echo 5')).start(uploading);
  const { session } = await client.load(load());
  const record = await client.stopRecording();
  await client.close();
  assert.ok(session?.kind === 'upload');
  assert.deepEqual(
    session.uploads.map(({ url: to, answerBytes }) => [to, answerBytes]),
    [[url, 5]],
  );
  assert.equal((await record.buildHar!()).log.entries[0]?.request.method, 'POST');
  const answering = scripted('echo 5');
  const refusing: CommandClient = {
    ...answering,
    transfers: (...told) => answering.transfers(...told).map((transfer) => ({ ...transfer, status: 413 })),
  };
  const refused = await commandDriver(refusing).start(uploading);
  let errors: readonly string[] = [];
  await assert.rejects(
    refused.load(load((kept) => (errors = kept.errors))),
    /the upload was answered with status 413/,
  );
  await refused.close();
  assert.match(errors.join(), /status 413/);
});

test('who sends no bodies is refused an upload', () => {
  const upload = { id: 'upload-1mb', kind: 'upload' } as const;
  const refusalOf = (client: CommandClient): string | undefined =>
    commandDriver(client).refusal?.(identity, upload, 'h2');
  assert.match(refusalOf(scripted('')) ?? '', /sends no bodies: it cannot do the work of upload-1mb/);
  assert.equal(refusalOf({ ...scripted(''), uploads: true }), undefined);
});

test('a server whose answers do not reach it is refused, whatever stands behind', () => {
  const driver = commandDriver(curl);
  const behind = (front: string): { front: string; network: string } => ({ front, network: 'loopback' });
  const withH3: ClientIdentity = { ...identity, protocols: ['h2', 'h3'], quicLibrary: 'OpenSSL 3.5.9' };
  const workload = { id: 'w', kind: 'download' } as const;
  assert.match(driver.refusal?.(withH3, workload, 'h3', behind('envoy')) ?? '', /no answer from Envoy/);
  assert.equal(driver.refusal?.(withH3, workload, 'h3', behind('nginx')), undefined);
  assert.equal(driver.refusal?.(withH3, workload, 'h2', behind('envoy')), undefined);
  const factors = { protocol: 'h3', proxy: 'envoy/haproxy' } as const;
  assert.equal(firstHopOf({ server: 'nginx', network: 'dsl', factors }).front, 'envoy');
  assert.equal(firstHopOf({ server: 'nginx', network: 'dsl', factors: {} }).front, 'nginx');
});

test('with a process for each request all run at once, and what each wrote is its own', async (t) => {
  const profileDir = tempFolder(t);
  const requests = { urls: [url, `${url}?2`], bodyBytes: 10, limitMs: 5000 };
  // Each waits until the other runs too.
  const other = `touch ${profileDir}/$$; while [ $(ls ${profileDir} | grep -c '^[0-9]*$') -lt 2 ]; do sleep 0.01; done; echo 5`;
  const client = await commandDriver(scripted(other)).start({
    ...options,
    profileDir,
    requests,
    factors: { processes: 'each' },
  });
  t.after(() => client.close());
  const { session } = await client.load(load());
  assert.deepEqual(session?.kind === 'download' && session.streams.map(({ bytes }) => bytes), [5, 5]);
  const failing = await commandDriver(scripted('echo 5; exit 7')).start({
    ...options,
    profileDir: tempFolder(t),
    requests,
    factors: { processes: 'each' },
  });
  t.after(() => failing.close());
  await assert.rejects(failing.load(load()), /exit code 7/);
});
