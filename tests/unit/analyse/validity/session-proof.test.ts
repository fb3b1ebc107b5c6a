import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaFindings } from '../../../../src/analyse/validity/media-rules.ts';
import { proveSession } from '../../../../src/analyse/validity/session-proof.ts';
import type { SessionProof } from '../../../../src/analyse/validity/session-proof.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import { fetchedChunks } from '../../../../src/core/model/session.ts';
import type { VideoSession } from '../../../../src/core/model/session.ts';
import { chunk, logEntry, originEpochMs, soundOf, videoSession } from '../derive/evidence.ts';

const played = videoSession({ chunks: [chunk(0, 1000), chunk(1, 4000), chunk(2, 4000)] });
const path = { roundTripMs: 20, steady: true };

/** The log that an honest server writes of a session: each request seen 10 ms after it was sent, done 15 ms before its end. */
function logOf(session: VideoSession): ServerLogEntry[] {
  return fetchedChunks(session).map(({ url, bytes, requestStartMs, responseEndMs }) =>
    logEntry({
      host: 'media.test',
      path: new URL(url).pathname,
      bytes,
      startEpochMs: originEpochMs + requestStartMs + 10,
      durationMs: responseEndMs - requestStartMs - 25,
    }),
  );
}

/** The proof with one entry of the log changed. */
function tampered(index: number, changes: Partial<ServerLogEntry>, where = path): SessionProof {
  const log = logOf(played).map((entry, at) => (at === index ? { ...entry, ...changes } : entry));
  return proveSession(played, log, where);
}

const reasons = ({ findings }: SessionProof): string => findings.map(({ reason }) => reason).join('\n');

test('player and server that agree leave the bitrate and how far they were apart', () => {
  const { findings, warnings, metrics } = proveSession(played, logOf(played), path);
  assert.deepEqual([findings, warnings], [[], []]);
  assert.equal(metrics['serverLogBitrateKbps'], 3000);
  assert.deepEqual([metrics['largestRequestLagMs'], metrics['largestDeliveryLagMs']], [10, 15]);
});

test('a chunk of another track in the log changes the bitrate', () => {
  assert.match(reasons(tampered(0, { path: '/v4000/0.m4s' })), /4000 kbit\/s by the server's log, 3000/);
});

test('a chunk that the log lacks, or has besides, changes the bitrate', () => {
  assert.match(reasons(proveSession(played, logOf(played).slice(1), path)), /4000 kbit\/s by the server/);
  const besides = logEntry({ host: 'media.test', path: '/v4000/9.m4s' });
  assert.match(
    reasons(proveSession(played, [...logOf(played), besides], path)),
    /3250 kbit\/s by the server/,
  );
  assert.match(reasons(proveSession(played, [], path)), /NaN kbit\/s by the server/);
});

test('chunks that do not add up to what was played are found', () => {
  const short = { ...played, playedSeconds: 5.9 };
  assert.match(reasons(proveSession(short, logOf(short), path)), /last 6 s, but 5\.9 s were played/);
});

test('one request that the server saw late is named; most of them, and the trial is invalid', () => {
  const [first] = logOf(played);
  const one = tampered(0, { startEpochMs: (first?.startEpochMs ?? 0) + 61 });
  assert.equal(reasons(one), '');
  assert.match(one.warnings.join(), /1 of 3 chunks, such as \/v1000\/0\.m4s: request at the server 71\.0 ms/);
  const shifted = logOf(played).map((entry) => ({ ...entry, startEpochMs: entry.startEpochMs - 500 }));
  assert.match(reasons(proveSession(played, shifted, path)), /disagree about the times of most chunks/);
});

test('a last byte far after the server was done is late only beyond the send buffer', () => {
  // 250 kB in 100 ms are 20 Mbit/s: the send buffer takes 3.4 s at that rate.
  const at = (durationMs: number): number => tampered(0, { durationMs }).warnings.length;
  assert.equal(at(-3300), 0);
  assert.equal(at(-3500), 1);
  assert.equal(at(200), 1, 'the server cannot be done long after the player had it all');
});

test('on a path with loss or a trace times are told, not judged; without a path they are unknown', () => {
  const unsteady = tampered(0, { startEpochMs: originEpochMs + 9000 }, { ...path, steady: false });
  assert.deepEqual([unsteady.findings, unsteady.warnings], [[], []]);
  assert.ok((unsteady.metrics['largestRequestLagMs'] ?? 0) > 7000);
  const unknown = proveSession(played, logOf(played), undefined);
  assert.deepEqual(Object.keys(unknown.metrics), ['serverLogBitrateKbps']);
});

test('every player is held against the log of its own host', () => {
  const chunks = played.chunks.map((one) => ({ ...one, url: one.url.replace('media.', 'media-2.') }));
  const other = { ...played, chunks };
  const log = [...logOf(played), ...logOf(played).map((entry) => ({ ...entry, host: 'media-2.test' }))];
  assert.equal(reasons(proveSession({ ...played, others: [other] }, log, path)), '');
  assert.match(reasons(proveSession({ ...played, others: [other] }, log.slice(0, -1), path)), /2500 kbit\/s/);
});

test('a chunk that the player gave up is no part of its bitrate, and is told', () => {
  const besides = logEntry({ host: 'media.test', path: '/v4000/9.m4s' });
  const session = { ...played, abandonedUrls: ['https://media.test/v4000/9.m4s'] };
  const proof = proveSession(session, [...logOf(played), besides], path);
  assert.equal(reasons(proof), '');
  assert.match(proof.warnings.join(), /dash\.js gave up chunks under way, 1 in all, such as .*9\.m4s/);
});

test('a chunk that was given up and came whole when it was asked for again counts once', () => {
  const [first] = played.chunks;
  const url = first?.url ?? '';
  const part = logEntry({ host: 'media.test', path: URL.parse(url)?.pathname ?? '', bytes: 7 });
  const session = { ...played, abandonedUrls: [url] };
  const log = [part, ...logOf(played)];
  assert.equal(reasons(proveSession(session, log, path)), '');
  assert.deepEqual(mediaFindings('h2', session, ['media.test'], log), []);
  assert.match(
    JSON.stringify(mediaFindings('h2', played, ['media.test'], log)),
    /more often than the page asked/,
    'what no player says that it gave up',
  );
});

test('sound is proven beside the pictures and counts for nothing in their bitrate', () => {
  const heard = { ...played, sound: soundOf(3) };
  const { findings, metrics } = proveSession(heard, logOf(heard), path);
  assert.deepEqual(findings, []);
  assert.equal(metrics['serverLogBitrateKbps'], 3000);
  const untold = logEntry({ host: 'media.test', path: '/sound/9.m4s' });
  assert.match(reasons(proveSession(heard, [...logOf(heard), untold], path)), /NaN kbit\/s by the server/);
});

test('a film with sound of which a part was not fetched, or none, is no whole session', () => {
  for (const [count, seconds] of [
    [2, 4],
    [0, 0],
  ] as const) {
    const silent = { ...played, sound: soundOf(count) };
    const expected = new RegExp(`chunks of sound last ${seconds} s, but 6 s were played`);
    assert.match(reasons(proveSession(silent, logOf(silent), path)), expected);
  }
});

test('a chunk of sound that was given up, or fetched a second time, counts once', () => {
  const sound = soundOf(3);
  const [first] = sound.chunks;
  assert.ok(first !== undefined);
  const given = { ...played, sound, abandonedUrls: [first.url] };
  const { requestStartMs, responseStartMs, responseEndMs } = first;
  const again = {
    ...first,
    requestStartMs: requestStartMs + 900,
    responseStartMs: responseStartMs + 900,
    responseEndMs: responseEndMs + 900,
  };
  const twice = { ...played, sound: { ...sound, chunks: [first, again, ...sound.chunks.slice(1)] } };
  const givenUpWarning = `${played.player.name} gave up chunks under way, 1 in all, such as ${first.url}`;
  const part = logEntry({ host: 'media.test', path: URL.parse(first.url)?.pathname ?? '', bytes: 7 });
  for (const [session, log] of [
    [given, [part, ...logOf(given)]],
    [twice, logOf(twice)],
  ] as const) {
    const { findings, warnings } = proveSession(session, log, path);
    assert.deepEqual([findings, warnings], [[], session === given ? [givenUpWarning] : []]);
    assert.deepEqual(mediaFindings('h2', session, ['media.test'], log), []);
  }
});

for (const [track, firstKbps] of [
  ['another track', 1000],
  ['the same track', 4000],
] as const)
  test(`a chunk that was fetched again in ${track} counts once, in the track that was played`, () => {
    const again = chunk(1, 4000, { requestStartMs: 2300, responseStartMs: 2320, responseEndMs: 2400 });
    const session = videoSession({ chunks: [chunk(0, 1000), chunk(1, firstKbps), again, chunk(2, 4000)] });
    const { findings, warnings, metrics } = proveSession(session, logOf(session), path);
    assert.deepEqual([findings, warnings], [[], []]);
    assert.equal(metrics['serverLogBitrateKbps'], 3000);
    const lost = { ...session, playedSeconds: 8 };
    assert.match(reasons(proveSession(lost, logOf(lost), path)), /last 6 s, but 8 s were played/);
  });
