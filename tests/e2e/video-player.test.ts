import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { launchers } from '../../harness/browsers/registry.ts';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createCaddyProvider } from '../../harness/servers/caddy.ts';
import type { CertificateStore, RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore } from '../../harness/setup/certificates.ts';
import { createSetupContext } from '../../harness/setup/setup-context.ts';
import type { SetupContext } from '../../harness/setup/setup-context.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import { alpnByProtocol } from '../../src/model/protocol.ts';
import type { Protocol } from '../../src/model/protocol.ts';
import { videoSessionSchema } from '../../src/model/session.ts';
import type { VideoSession } from '../../src/model/session.ts';
import type { PreparedWorkload } from '../../src/model/workload.ts';
import { videoWorkloads } from '../../video/index.ts';
import { sessionDiscrepancies } from '../../video/session-proof.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { videoContext } from '../support/video-context.ts';

const port = 30_000 + (process.pid % 10_000);
/** Several times what the kernel and a QUIC stack hold for one connection. */
const sendBufferBytes = 16_000_000;

describe('a DASH session in a real browser', () => {
  let setup: SetupContext;
  let certificates: CertificateStore;
  let server: RunningServer;
  let cacheDir: string;
  const cleanups: (() => void)[] = [];

  before(async () => {
    setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
    certificates = await openCertificateStore({ cache: setup.cache });
    cacheDir = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    const { roots } = await prepared('video-ci-1s-bba-4s', cacheDir);
    server = await startServer(roots, path.join(cacheDir, 'server'), port);
  });
  after(async () => {
    await server.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  for (const name of ['best', 'firefox'])
    for (const protocol of ['h2', 'h3'] as const)
      for (const rule of ['bba', 'rate'])
        test(`${name} plays all of it over ${protocol} with ${rule}, and player and server agree`, async (t) => {
          const client = await clientOrSkip(t, name);
          if (client === undefined) return;
          const workload = await prepared(`video-ci-1s-${rule}-4s`, cacheDir);
          const mark = await server.mark();
          const session = await play(client, protocol, workload, tempFolder(t), server);
          assert.deepEqual([session.outcome, session.errors], ['ended', []]);
          assert.deepEqual(
            [...new Set(session.chunks.map((chunk) => chunk.protocol))],
            [alpnByProtocol[protocol]],
          );
          assert.deepEqual(
            session.chunks.map(({ mediaStartSeconds }) => mediaStartSeconds),
            [0, 1, 2, 3],
          );
          assert.equal(
            session.chunks[0]?.representation,
            '1000k',
            'every session begins at the lowest track',
          );
          assert.ok(session.firstFrameMs !== null && session.firstFrameMs > session.loadCallMs);
          assert.ok((session.decodedFrames ?? 0) >= 110, `${session.decodedFrames} of 120 frames`);
          assert.ok(session.bufferSamples.length >= 16);
          const awaited = session.chunks.map(({ url }) => new URL(url).hostname + new URL(url).pathname);
          const log = (await server.entriesSince(mark, awaited)).filter(({ host }) =>
            host.startsWith('media.'),
          );
          assert.deepEqual([...new Set(log.map((entry) => entry.protocol))], [protocol]);
          assert.deepEqual(sessionDiscrepancies(session, log, { roundTripMs: 1, sendBufferBytes }), []);
        });

  test('a missing segment ends the session as an error that names it', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const ownCache = tempFolder(t);
    const workload = await prepared('video-ci-1s-fixed1-4s', ownCache);
    const media = workload.roots.find(({ host }) => host.startsWith('media.'))?.directory ?? '';
    const asset = new URLSearchParams(entryPath(workload).split('?')[1]).get('manifest')?.split('/')[0] ?? '';
    rmSync(path.join(media, asset, '1000k', '00003.m4s'));
    const own = await startServer(workload.roots, path.join(ownCache, 'server'), port + 1);
    t.after(() => own.stop());
    const session = await play(client, 'h2', workload, ownCache, own);
    assert.equal(session.outcome, 'error');
    assert.match(session.errors.join(), /00003\.m4s/);
  });

  test('a server that dies in mid-session ends it as an error, before its deadline', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const ownCache = tempFolder(t);
    const workload = await prepared('video-ci-1s-fixed2', ownCache);
    const own = await startServer(workload.roots, path.join(ownCache, 'server'), port + 2);
    const playing = play(client, 'h2', workload, ownCache, own);
    setTimeout(() => void own.stop(), 4000);
    const session = await playing;
    assert.equal(session.outcome, 'error');
    assert.ok(session.errors.length > 0);
    assert.ok(session.playedSeconds < 12);
  });

  async function startServer(
    roots: PreparedWorkload['roots'],
    workDir: string,
    at: number,
  ): Promise<RunningServer> {
    return createCaddyProvider(setup).start({
      roots,
      address: '127.0.0.1',
      port: at,
      certificates,
      workDir,
      launchPrefix: [],
      environment: process.env as Record<string, string>,
    });
  }

  async function play(
    client: ClientIdentity,
    protocol: Protocol,
    workload: PreparedWorkload,
    folder: string,
    origin: RunningServer,
  ): Promise<VideoSession> {
    const profileDir = path.join(folder, 'profile');
    mkdirSync(profileDir);
    const browser = await launchers[client.family]({
      client,
      protocol,
      profileDir,
      spkiHash: certificates.spkiHash,
      hosts: workload.roots.map(({ host }) => host),
      server: { address: origin.address, port: origin.port },
      headed: false,
      mediaBufferMegabytes: workload.mediaBufferMegabytes,
      frames: false,
    });
    try {
      await browser.startRecording();
      await browser.navigate(
        `https://player.h2h3.test:${origin.port}${entryPath(workload)}`,
        workload.deadlineMs,
      );
      return videoSessionSchema.parse(await browser.sessionResult(workload.deadlineMs));
    } finally {
      await browser.close();
    }
  }

  async function clientOrSkip(t: TestContext, name: string): Promise<ClientIdentity | undefined> {
    try {
      return await resolveClient(name, setup);
    } catch (error) {
      if (!(error instanceof H2h3Error) || error.code !== 'unsupported') throw error;
      t.skip(error.message);
      return undefined;
    }
  }
});

function prepared(id: string, cacheDir: string): Promise<PreparedWorkload> {
  const workload = videoWorkloads().find((one) => one.id === id);
  assert.ok(workload !== undefined, id);
  return workload.prepare(videoContext(cacheDir, { port }));
}

function entryPath({ entry }: PreparedWorkload): string {
  assert.ok('path' in entry);
  return entry.path;
}
