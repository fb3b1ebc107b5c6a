import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockSentences } from '../../../../src/app/run/block-sentences.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun, type GeneratedRunOptions } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks, settledTracks } from '../../../support/played-tracks.ts';

const pltMs: Record<string, readonly number[]> = { h2: [900, 1000, 1100, 1000], h3: [800, 1200, 1000, 1000] };

/** What the blocks of the arms' given load times say. */
function saidOf(options: GeneratedRunOptions = {}, lost: readonly string[] = []): string[][] {
  const alter = (record: TrialRecord): TrialRecord => {
    const { arm, blockIndex } = record;
    if (lost.includes(`${arm} ${blockIndex}`)) return { ...record, status: 'invalid', metrics: {} };
    return { ...record, metrics: { pltMs: pltMs[arm]?.[blockIndex] ?? 0 } };
  };
  const workloads = [{ id: 'page-a', kind: 'page' }] as const;
  const { plan, records } = generateRun({ blocks: 4, workloads, alter, ...options });
  return [0, 1, 2, 3].map((block) =>
    blockSentences(
      plan,
      records.filter(({ blockIndex }) => blockIndex <= block),
      block,
    ),
  );
}

test('each block says what it showed, and how often the candidate was on that side so far', () => {
  assert.deepEqual(saidOf(), [
    ['block 1: h2 900, h3 800 ms (pltMs); h3 lower in 1 of 1 blocks'],
    ['block 2: h2 1000, h3 1200 ms (pltMs); h3 higher in 1 of 2 blocks'],
    ['block 3: h2 1100, h3 1000 ms (pltMs); h3 lower in 2 of 3 blocks'],
    ['block 4: h2 1000, h3 1000 ms (pltMs); h3 alike in 1 of 4 blocks'],
  ]);
});

test('a block that an arm lost says nothing, and counts in no other', () => {
  const [, second, third] = saidOf({}, ['h2 1']);
  assert.deepEqual(second, []);
  assert.deepEqual(third, ['block 3: h2 1100, h3 1000 ms (pltMs); h3 lower in 2 of 2 blocks']);
});

test('two conditions are told apart, and more than three are not told', () => {
  const [first] = saidOf({ networks: ['cable', '4g'] });
  assert.deepEqual(first, [
    'block 1, page-a over cable: h2 900, h3 800 ms (pltMs); h3 lower in 1 of 1 blocks',
    'block 1, page-a over 4g: h2 900, h3 800 ms (pltMs); h3 lower in 1 of 1 blocks',
  ]);
  assert.deepEqual(saidOf({ networks: ['cable', '4g', 'dsl', 'satellite'] })[0], []);
});

test('a journey of many steps says what it showed as a whole', () => {
  const steps = ['open', 'search', 'buy', 'pay'].map((name) => ({ name, metrics: { pltMs: 100 } }));
  const alter = (record: TrialRecord): TrialRecord => ({
    ...record,
    metrics: { pltMs: pltMs[record.arm]?.[record.blockIndex] ?? 0 },
    steps,
  });
  const [first] = saidOf({ alter });
  assert.deepEqual(first, ['block 1: h2 900, h3 800 ms (pltMs); h3 lower in 1 of 1 blocks']);
});

test('the first block of a film says where nothing was at risk, and no later one repeats it', () => {
  const film = {
    workloads: [{ id: 'video-x', kind: 'video' }],
    plan: { primary: { video: 'averageChunkBitrateKbps' } },
  } as const;
  const saidOfTracks = (tracks: readonly string[]): string[][] =>
    saidOf({ ...film, alter: (record) => playedTracks(record, tracks) });
  const unrisked =
    'block 1: Nothing was at risk. HTTP/2 never stalled, and kept its track once it had settled.';
  assert.equal(saidOfTracks(settledTracks)[0]?.[1], unrisked);
  assert.deepEqual(
    saidOfTracks(settledTracks).map(({ length }) => length),
    [2, 1, 1, 1],
  );
  assert.deepEqual(
    saidOfTracks(changingTracks).map(({ length }) => length),
    [1, 1, 1, 1],
  );
});
