import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveTrial } from '../../../../src/analyse/derive/derive-trial.ts';
import { unplayablePath } from '../../../../src/analyse/derive/unplayable-path.ts';
import type { VideoSession } from '../../../../src/core/model/session.ts';
import { chunk, rawTrial, videoEvidence, videoSession } from './evidence.ts';

/** Chunks of 2 s at 1 Mbit/s, each of which takes so long. */
const fetchedIn = (chunkMs: number, parts: Partial<VideoSession> = {}): VideoSession =>
  videoSession({
    chunks: [0, 1, 2].map((index) =>
      chunk(index, 1000, {
        requestStartMs: 1000 + index * chunkMs,
        responseStartMs: 1010 + index * chunkMs,
        responseEndMs: 1000 + (index + 1) * chunkMs,
      }),
    ),
    ...parts,
  });

test('a path that cannot carry the lowest track is said with both rates, and one that can is not', () => {
  const [said, ...others] = unplayablePath(fetchedIn(5000));
  assert.match(said ?? '', /cannot carry the lowest track: 0\.4 Mbit\/s came, and it has 1 Mbit\/s/);
  assert.deepEqual(others, []);
  assert.deepEqual(unplayablePath(fetchedIn(1900)), []);
});

test('nothing is said where a higher track was fetched, of broadcasts, and of what left no chunks', () => {
  const higher = fetchedIn(5000, {
    chunks: [...fetchedIn(5000).chunks, chunk(3, 4000, { responseEndMs: 30_000 })],
  });
  assert.deepEqual(unplayablePath(higher), []);
  assert.deepEqual(unplayablePath(fetchedIn(5000, { liveStartEpochMs: 1 })), []);
  assert.deepEqual(unplayablePath(videoSession({ chunks: [] })), []);
});

test('the trial of either arm says so, also where its time ran out', async () => {
  for (const protocol of ['h2', 'h3'] as const) {
    for (const outcome of ['completed', 'deadline'] as const) {
      const session = fetchedIn(5000);
      const { raw, ...evidence } = videoEvidence(session);
      const derived = await deriveTrial({ ...evidence, protocol, raw: rawTrial({ ...raw, outcome }) });
      assert.match(
        derived.warnings.join('\n'),
        /the path cannot carry the lowest track/,
        `${protocol} ${outcome}`,
      );
    }
  }
});

test('a session whose player died has failed, by what the player said', async () => {
  const session = videoSession({ outcome: 'error', errors: ['media element: decoder gone'] });
  const { status, reason, reasonCode } = await deriveTrial(videoEvidence(session));
  assert.deepEqual([status, reasonCode], ['failed', 'page-error']);
  assert.match(reason ?? '', /decoder gone/);
});
