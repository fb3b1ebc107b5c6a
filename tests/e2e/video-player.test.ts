import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserFamilies } from '../../harness/clients/browsers/registry.ts';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Har } from '../../src/core/model/har.ts';
import { alpnByProtocol } from '../../src/core/model/protocol.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { fetchedChunks, videoSessionSchema } from '../../src/core/model/session.ts';
import type { VideoSession } from '../../src/core/model/session.ts';
import { fetchedPlayer } from '../../src/app/versions/fetched-player.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { cmcdDisagreements } from '../../src/analyse/derive/cmcd-witness.ts';
import { readCmcd, splitCmcd, withCmcd } from '../../src/core/model/cmcd.ts';
import { networkObjectsOf } from '../../src/core/metrics/evidence/network-object.ts';
import { videoMetrics } from '../../src/analyse/derive/video-metrics.ts';
import { mediaFindings } from '../../src/analyse/validity/media-rules.ts';
import { proveSession } from '../../src/analyse/validity/session-proof.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { copyOfVideos, prepared, preparedFilm } from '../support/prepared-video.ts';
import { videoEvidence } from '../unit/analyse/derive/evidence.ts';
import { markedEnvironment } from '../support/test-scope.ts';

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
    server = await startServer(roots, path.join(cacheDir, 'server'));
  });
  after(async () => {
    await server.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  const ruleOver = { h2: 'bba', h3: 'rate' };
  /** Over HTTP/3 a film with sound, where the browser has its codec. */
  const contentFor = (name: string, protocol: Protocol): string =>
    name === 'best' && protocol === 'h3' ? 'ci@film' : 'ci';
  for (const name of ['best', 'firefox'])
    for (const protocol of ['h2', 'h3'] as const) {
      const rule = ruleOver[protocol];
      test(`${name} plays all of it over ${protocol} with ${rule}, and player and server agree`, async (t) => {
        const client = await clientOrSkip(t, name);
        if (client === undefined) return;
        const content = contentFor(name, protocol);
        const hasSound = content === 'ci@film';
        const prepare = hasSound ? preparedFilm : prepared;
        const workload = await prepare(`video-${content}-1s-${rule}-4s`, cacheDir);
        const mark = await server.mark();
        const session = await play(client, protocol, workload, tempFolder(t), server);
        assert.deepEqual([session.outcome, session.errors], ['ended', []]);
        assert.deepEqual(
          [...new Set(fetchedChunks(session).map((chunk) => chunk.protocol))],
          [alpnByProtocol[protocol]],
        );
        assert.ok(
          session.sound?.chunks.every(
            (chunk) => chunk.representation === 'sound' && chunk.bitrateKbps === 128,
          ) ?? !hasSound,
        );
        assert.deepEqual(session.sound && startsOf(session.sound), hasSound ? [0, 1, 2, 3] : undefined);
        assert.deepEqual(startsOf(session), [0, 1, 2, 3]);
        assert.equal(session.chunks[0]?.representation, '1000k', 'every session begins at the lowest track');
        assert.ok(session.firstFrameMs !== null && session.firstFrameMs > session.loadCallMs);
        assert.ok((session.decodedFrames ?? 0) >= 110, `${session.decodedFrames} of 120 frames`);
        // Every quarter of a second of four; a browser that gets no CPU skips some at once.
        const sampledMs = session.bufferSamples.map(({ tMs }) => tMs);
        const gapsMs = sampledMs.slice(1).map((tMs, index) => tMs - (sampledMs[index] ?? NaN));
        const usualGapMs = gapsMs.toSorted((a, b) => a - b)[Math.floor(gapsMs.length / 2)] ?? NaN;
        assert.ok(gapsMs.length >= 3 && usualGapMs < 500, `samples at ${sampledMs.join(', ')} ms`);
        const awaited = fetchedChunks(session).map(
          ({ url }) => new URL(url).hostname + new URL(url).pathname,
        );
        const log = (await server.entriesSince(mark, awaited)).filter(({ host }) =>
          host.startsWith('media.'),
        );
        assert.deepEqual([...new Set(log.map((entry) => entry.protocol))], [protocol]);
        const { findings, metrics } = proveSession(session, log, { roundTripMs: 1, steady: true });
        assert.deepEqual(findings, []);
        assert.ok((metrics['serverLogBitrateKbps'] ?? 0) > 0);
      });
    }

  test('each player plays all of it by its own rule, and player, what it tells the server, and the server’s log agree segment by segment', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const folder = tempFolder(t);
    const plays = [
      { name: 'dashjs@4', protocol: 'h3', tells: false, hasSound: false },
      { name: 'dashjs@4', protocol: 'h2', tells: true, hasSound: false },
      { name: 'dashjs@5', protocol: 'h3', tells: true, hasSound: true },
      { name: 'hlsjs', protocol: 'h2', tells: true, hasSound: true },
      { name: 'shaka', protocol: 'h3', tells: true, hasSound: true },
    ] as const;
    const names = [...new Set(plays.map(({ name }) => name))];
    const players = await Promise.all(names.map((name) => fetchedPlayer(name, setup)));
    const films = {
      silent: await serve(t, await prepared('video-ci-1s-own-4s', cacheDir, { players })),
      sound: await serve(t, await preparedFilm('video-ci@film-1s-own-4s', cacheDir, { players })),
    };
    for (const [index, { name, protocol, tells, hasSound }] of plays.entries()) {
      const { workload, own } = films[hasSound ? 'sound' : 'silent'];
      const exact = players[names.indexOf(name)]?.exact ?? '';
      const mark = await own.mark();
      const page = `${entryPath(workload)}&player=${exact}${tells ? '&cmcd=1' : ''}`;
      const entry = { host: 'player.h2h3.test', path: page };
      const session = await play(
        client,
        protocol,
        { ...workload, entry },
        path.join(folder, `${index}`),
        own,
      );
      assert.deepEqual([session.outcome, session.errors], ['ended', []], exact);
      assert.equal(session.player.version, exact.split('@')[1]);
      assert.deepEqual(startsOf(session), [0, 1, 2, 3], exact);
      // Of a film with sound Shaka gives its first chunk up once the first of the sound has come quickly.
      const asked = [...session.chunks.map(({ url }) => url), ...(session.abandonedUrls ?? [])];
      assert.ok(
        asked.some((url) => url.endsWith('/1000k/00001.m4s')),
        `${exact}: every session begins at the lowest track, and not with ${asked.join(', ')}`,
      );
      assert.deepEqual(session.sound && startsOf(session.sound), hasSound ? [0, 1, 2, 3] : undefined, exact);
      assert.ok(
        session.chunks.every(({ cmcd }) => (cmcd !== undefined && readCmcd(cmcd).has('sid')) === tells),
        exact,
      );
      assert.ok(session.chunks.every(({ url }) => !url.includes('CMCD')));
      const awaited = fetchedChunks(session).map(({ url, cmcd }) =>
        withCmcd(url, cmcd).replace(/^https:\/\/|:\d+/g, ''),
      );
      const log = (await own.entriesSince(mark, awaited)).map((line) => {
        const { address, cmcd } = splitCmcd(line.path);
        return cmcd === undefined ? line : { ...line, path: address, cmcd };
      });
      const { findings } = proveSession(session, log, { roundTripMs: 1, steady: true });
      assert.deepEqual(findings, [], `${exact}: ${log.map((one) => one.path).join(', ')}`);
      assert.deepEqual(mediaFindings(protocol, session, workload.loggedHosts, log), []);
      if (!tells) continue;
      assert.deepEqual(cmcdDisagreements(session, log), [], exact);
      const [first] = session.chunks;
      assert.ok(first !== undefined);
      // A rate that no track has: Shaka may rightly tell that of the track it has just changed to.
      const odd = { ...first, cmcd: first.cmcd?.replace(/(^|%2C)br%3D\d+/i, '$1br%3D77777') };
      assert.match(
        cmcdDisagreements({ ...session, chunks: [odd] }, log).join(),
        /br: 77777 told, \d+ in the session/,
      );
    }
  });

  test('three players and a download share the path, each over a connection of its own', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const folder = tempFolder(t);
    const [three, cross] = await Promise.all(
      ['video-ci-1s-bba-4s-3players', 'video-ci-1s-rate-4s-cross'].map((id) => prepared(id, cacheDir)),
    );
    assert.ok(three !== undefined && cross !== undefined);
    assert.deepEqual(three.loggedHosts, ['media.h2h3.test', 'media-2.h2h3.test', 'media-3.h2h3.test']);
    const own = await startServer([...three.roots, ...cross.roots.slice(2)], path.join(folder, 'server'));
    t.after(() => own.stop());
    const shared = await play(client, 'h2', three, path.join(folder, 'three'), own);
    const players = [shared, ...(shared.others ?? [])];
    assert.equal(players.length, 3);
    assert.ok(players.every((player) => player.outcome === 'ended' && startsOf(player).length === 4));
    const hosts = players.flatMap(({ chunks }) => chunks.map(({ url }) => new URL(url).hostname));
    assert.deepEqual([...new Set(hosts)], three.loggedHosts);
    const crossed = await play(client, 'h3', cross, path.join(folder, 'cross'), own);
    assert.equal(crossed.outcome, 'ended');
    const downloads = crossed.crossTraffic ?? [];
    assert.ok(downloads.length > 0);
    assert.ok(downloads.every(({ bytes, protocol }) => bytes === 8_000_000 && protocol === 'h3'));
  });

  for (const [rule, protocol, content] of [
    ['lolp', 'h2', 'ci'],
    ['l2a', 'h3', 'ci@film'],
  ] as const)
    test(`a broadcast of ${content} is played close behind its live edge with ${rule}, and no request of it is reported as cut off`, async (t) => {
      const client = await clientOrSkip(t, 'best');
      if (client === undefined) return;
      const folder = tempFolder(t);
      const hasSound = content === 'ci@film';
      const prepare = hasSound ? preparedFilm : prepared;
      const workload = await prepare(`video-${content}-2s-${rule}-live-4s`, cacheDir);
      const own = await startServer(workload.roots, path.join(folder, 'server'));
      t.after(() => own.stop());
      const { session, har } = await playRecorded(client, protocol, workload, folder, own);
      assert.deepEqual([session.outcome, session.errors], ['ended', []]);
      assert.ok(session.chunks.every(({ bytes, bitrateKbps }) => bytes === (bitrateKbps * 1000 * 2) / 8));
      assert.deepEqual(startsOf(session), [0, 2]);
      assert.deepEqual(session.sound && startsOf(session.sound), hasSound ? [0, 2] : undefined);
      const fetched = fetchedChunks(session);
      const media = networkObjectsOf(har).filter(({ host }) => host === 'live.h2h3.test');
      const givenUp = session.abandonedUrls ?? [];
      const asked = media.filter(({ path: file }) => file.endsWith('.m4s'));
      assert.equal(asked.length, fetched.length + givenUp.length);
      assert.deepEqual(
        media.filter(
          ({ path: file, error }) => error !== undefined && !givenUp.some((url) => url.endsWith(file)),
        ),
        [],
      );
      const times = fetched.map(({ url, requestStartMs }) => `${url} ${requestStartMs}`);
      assert.equal(new Set(times).size, fetched.length, 'each request has its own times');
      const log = await own.entriesSince(
        0,
        fetched.map(({ url }) => new URL(url).hostname + new URL(url).pathname),
      );
      assert.deepEqual(proveSession(session, log, { roundTripMs: 1, steady: true }).findings, []);
      assert.deepEqual(mediaFindings(protocol, session, workload.loggedHosts, log), []);
      const { liveLatencyMs } = videoMetrics(session).metrics;
      assert.ok(
        typeof liveLatencyMs === 'number' && liveLatencyMs > 1000 && liveLatencyMs < 60_000,
        `${liveLatencyMs}`,
      );
    });

  test('a codec that the browser lacks ends the session at once, with a reason', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const ownCache = copyOfVideos(cacheDir, tempFolder(t));
    const workload = await prepared('video-ci-1s-bba-4s', ownCache);
    const manifest = path.join(mediaDirectory(workload), manifestOf(workload));
    const text = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, text.replace(/codecs="[^"]+"/g, 'codecs="xyz1.0"'));
    const own = await startServer(workload.roots, path.join(ownCache, 'server'));
    t.after(() => own.stop());
    const session = await play(client, 'h2', workload, ownCache, own);
    assert.equal(session.outcome, 'error');
    assert.match(session.errors[0] ?? '', /this browser cannot play video\/mp4; codecs="xyz1\.0"/);
    assert.equal(session.chunks.length, 0);
  });

  test('a missing segment ends the session as an error that names it', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const ownCache = copyOfVideos(cacheDir, tempFolder(t));
    const workload = await prepared('video-ci-1s-fixed1-4s', ownCache);
    const asset = path.dirname(manifestOf(workload));
    rmSync(path.join(mediaDirectory(workload), asset, '1000k', '00003.m4s'));
    const own = await startServer(workload.roots, path.join(ownCache, 'server'));
    t.after(() => own.stop());
    const session = await play(client, 'h2', workload, ownCache, own);
    assert.equal(session.outcome, 'error');
    assert.match(session.errors.join(), /00003\.m4s/);
  });

  test('a server that dies in mid-session ends it as an error, before its deadline', async (t) => {
    const client = await clientOrSkip(t, 'best');
    if (client === undefined) return;
    const ownCache = copyOfVideos(cacheDir, tempFolder(t));
    const workload = await prepared('video-ci-1s-fixed2-12s', ownCache);
    const own = await startServer(workload.roots, path.join(ownCache, 'server'));
    const playing = play(client, 'h2', workload, ownCache, own);
    await firstSegment(own);
    await own.stop();
    const session = await playing;
    assert.equal(session.outcome, 'error');
    assert.ok(session.errors.length > 0);
    assert.ok(session.playedSeconds < 12);
    const { status, reason } = await deriveTrial(videoEvidence(session));
    assert.equal(status, 'failed', 'never a silently shorter session');
    assert.match(reason ?? '', /the page reported an error/);
  });

  async function serve(
    t: TestContext,
    workload: PreparedWorkload,
  ): Promise<{ readonly workload: PreparedWorkload; readonly own: RunningServer }> {
    const own = await startServer(workload.roots, path.join(tempFolder(t), 'server'));
    t.after(() => own.stop());
    return { workload, own };
  }

  async function startServer(roots: PreparedWorkload['roots'], workDir: string): Promise<RunningServer> {
    return serverProvider(caddy, setup).start({
      roots,
      address: '127.0.0.1',
      port: null,
      certificates,
      workDir,
      launchPrefix: [],
      environment: markedEnvironment(),
    });
  }

  async function play(...parts: Parameters<typeof playRecorded>): Promise<VideoSession> {
    return (await playRecorded(...parts)).session;
  }

  async function playRecorded(
    client: ClientIdentity,
    protocol: Protocol,
    workload: PreparedWorkload,
    folder: string,
    origin: RunningServer,
  ): Promise<{ session: VideoSession; har: Har }> {
    const profileDir = path.join(folder, 'profile');
    mkdirSync(profileDir, { recursive: true });
    const launch = await browserFamilies[client.family as keyof typeof browserFamilies].launcher();
    const browser = await launch({
      client,
      protocol,
      profileDir,
      spkiHash: certificates.spkiHash,
      hosts: workload.roots.map(({ host }) => host),
      server: { address: origin.address, port: origin.port },
      headed: false,
      mediaBufferMegabytes: workload.mediaBufferMegabytes,
      frames: false,
      instrumentation: 'instrumented',
    });
    try {
      await browser.startRecording();
      await browser.navigate(
        `https://player.h2h3.test:${origin.port}${entryPath(workload)}`,
        workload.deadlineMs,
      );
      const session = videoSessionSchema.parse(await browser.sessionResult(workload.deadlineMs));
      await browser.waitUntilQuiet(workload.quietMs, 2000);
      const recording = await browser.stopRecording();
      return { session, har: await recording.buildHar!() };
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

/**
 * Seconds of the film at which the chunks begin that came, each once. A player may fetch one anew: when it changes its track, or
 * after a stall, when it throws away what it holds.
 */
function startsOf({
  chunks,
}: {
  readonly chunks: readonly { readonly mediaStartSeconds: number }[];
}): number[] {
  return [...new Set(chunks.map(({ mediaStartSeconds }) => Math.round(mediaStartSeconds)))];
}

function entryPath({ entry }: PreparedWorkload): string {
  assert.ok('path' in entry);
  return entry.path;
}

/** Resolves when the server has served a first chunk. */
async function firstSegment(server: RunningServer): Promise<void> {
  for (;;) {
    const entries = await server.entriesSince(0, []);
    if (entries.some((entry) => entry.path.endsWith('.m4s'))) return;
    await sleep(100);
  }
}

function mediaDirectory(workload: PreparedWorkload): string {
  return workload.roots.find(({ host }) => host.startsWith('media.'))?.directory ?? '';
}

/** Path of the manifest below the media folder. */
function manifestOf(workload: PreparedWorkload): string {
  return new URLSearchParams(entryPath(workload).split('?')[1]).get('manifest') ?? '';
}
