import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cmcdDisagreements, cmcdWitness } from '../../../../src/analyse/derive/cmcd-witness.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import type { VideoSession } from '../../../../src/core/model/session.ts';
import { chunk, logEntry, soundOf, videoEvidence, videoSession } from './evidence.ts';

/** A session whose player told these keys of each chunk, and the server's log of it. */
function sessionWithLog(keysOf: (index: number) => string): {
  readonly session: VideoSession;
  readonly log: readonly ServerLogEntry[];
} {
  const chunks = [chunk(0, 1000), chunk(1, 4000)].map((one, index) => ({
    ...one,
    bufferLevelSeconds: index * 2,
    cmcd: encodeURIComponent(keysOf(index)),
  }));
  const session = videoSession({ chunks, playedSeconds: 4 });
  const log = (videoEvidence(session).raw.serverLog ?? []).map((entry, index) => ({
    ...entry,
    cmcd: chunks[index]?.cmcd ?? '',
  }));
  return { session, log };
}

const keys = (index: number): string =>
  `bl=${index * 2000},br=${index === 0 ? 1000 : 4000},d=2000,ot=v,sid="one"`;

test('what a player told agrees with session and log, and nothing is said where it told nothing', () => {
  const { session, log } = sessionWithLog(keys);
  assert.deepEqual(cmcdDisagreements(session, log), []);
  assert.deepEqual(cmcdWitness(session, log), {
    metrics: { cmcdRequests: 2, cmcdContradicted: 0 },
    warnings: [],
  });
  assert.deepEqual(cmcdWitness(videoSession(), []), { metrics: {}, warnings: [] });
});

test('each key that differs, another session and another line of the log are named', () => {
  const { session, log } = sessionWithLog((index) =>
    index === 0 ? keys(0) : 'bl=4000,br=1000,ot=a,sid="two"',
  );
  const found = cmcdDisagreements(session, log).join('\n');
  for (const wanted of [
    /sid: 2 sessions/,
    /br: 1000 told, 4000 in the session/,
    /d: nothing told, 2000 in the session/,
    /bl: 4000 told, 2000 in the session/,
    /ot: a told/,
  ])
    assert.match(found, wanted);
  const witness = cmcdWitness(session, log);
  assert.match(witness.warnings.join(), /\(CMCD\) disagrees in 5 places, such as sid: 2 sessions/);
  assert.deepEqual(witness.metrics, { cmcdRequests: 2, cmcdContradicted: 2 });
  const { session: agreeing } = sessionWithLog(keys);
  assert.equal(cmcdDisagreements(agreeing, []).length, 2, 'the log has no such requests');
});

test('a player may tell the rate of the track that it has just changed to, and no other', () => {
  const { session, log } = sessionWithLog((index) => keys(index).replace('br=1000', 'br=4000'));
  const changed = (to: string, tMs: number): VideoSession => ({
    ...session,
    decisions: [{ tMs, from: 'v1000', to, why: 'its rule' }],
  });
  const [first] = session.chunks;
  assert.ok(first !== undefined && first.representation === 'v1000');
  assert.deepEqual(cmcdDisagreements(changed('v4000', first.requestStartMs - 1), log), []);
  for (const [to, tMs] of [
    ['v4000', first.responseStartMs + 1],
    ['v2000', first.requestStartMs - 1],
    ['v1000', first.requestStartMs - 1],
  ] as const)
    assert.match(
      cmcdDisagreements(changed(to, tMs), log).join(),
      /br: 4000 told, 1000 in the session/,
      `${to} at ${tMs}`,
    );
});

test('what a player told of its sound is held to sound', () => {
  const told = (
    type: string,
  ): { readonly session: VideoSession; readonly log: readonly ServerLogEntry[] } => {
    const { session, log } = sessionWithLog(keys);
    const cmcd = encodeURIComponent(`bl=4000,br=128,d=2000,ot=${type},sid="one"`);
    const sound = { bitrateKbps: 128, chunks: soundOf(1).chunks.map((one) => ({ ...one, cmcd })) };
    return {
      session: { ...session, sound },
      log: [...log, logEntry({ host: 'media.test', path: '/sound/0.m4s', cmcd })],
    };
  };
  const { session, log } = told('a');
  assert.deepEqual(cmcdDisagreements(session, log), []);
  const [first] = session.chunks;
  assert.ok(first !== undefined);
  const withheld = (bufferLevelSeconds: number): VideoSession => ({
    ...session,
    chunks: [{ ...first, bufferLevelSeconds }],
  });
  assert.deepEqual(
    cmcdDisagreements(withheld(-2), log),
    [],
    'of pictures there may be more than can be played',
  );
  assert.match(cmcdDisagreements(withheld(2), log).join(), /^[^,]*bl: 0 told, 2000 in the session$/);
  const variant = encodeURIComponent('bl=4000,br=1128,d=2000,ot=a,sid="one"');
  const [heard] = soundOf(1).chunks;
  assert.ok(heard !== undefined);
  const ofVariant = {
    ...session,
    chunks: [],
    sound: { bitrateKbps: 128, chunks: [{ ...heard, cmcd: variant }] },
  };
  const line = logEntry({ host: 'media.test', path: '/sound/0.m4s', cmcd: variant });
  assert.deepEqual(cmcdDisagreements(ofVariant, [line]), [], 'hls.js tells the rate of both');
  const odd = told('v');
  assert.deepEqual(cmcdDisagreements(odd.session, odd.log), ['/sound/0.m4s: ot: v told']);
});
