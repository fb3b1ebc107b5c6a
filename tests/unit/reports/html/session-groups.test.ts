import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelsOf } from '../../../../reports/format/labels.ts';
import { sessionGroups } from '../../../../reports/html/session-groups.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

function groupsOf(summary: Summary): ReturnType<typeof sessionGroups> {
  return sessionGroups(summary, labelsOf(summary));
}

describe('sessions in the page', () => {
  test('the block closest to the overall ratio comes first, baseline before candidate', () => {
    const summary = summaryFixture({ pages: 0, downloads: 0 });
    const primary = summary.comparisons.find((one) => one.primary);
    assert.ok(primary?.ratio);
    const distances = primary.values.map(([, a, b]) =>
      Math.abs(Math.log((b ?? 0) / (a ?? 1) / (primary.ratio ?? 1))),
    );
    const [group] = groupsOf(summary);
    assert.equal(group?.blocks[0]?.blockIndex, distances.indexOf(Math.min(...distances)));
    assert.deepEqual(
      group.blocks[0]?.sessions.map(({ arm }) => arm),
      ['h2', 'h3'],
    );
  });

  test('the best and the worst block of the candidate follow, by name, whichever way its metric is better', () => {
    const summary = summaryFixture({ pages: 0, downloads: 0, blocks: 8 });
    const blocksWhere = (higherIsBetter: boolean): readonly { blockIndex: number; place: string }[] => {
      const comparisons = summary.comparisons.map((one) => ({ ...one, higherIsBetter }));
      return groupsOf({ ...summary, comparisons })[0]?.blocks ?? [];
    };
    const higher = blocksWhere(true);
    const lower = blocksWhere(false);
    assert.deepEqual(
      higher.slice(0, 4).map(({ place }) => place.replace(/^\d/, 'N')),
      ['closest to the result', 'best for HTTP/3', 'worst for HTTP/3', 'N. closest'],
    );
    assert.deepEqual(
      [lower[1]?.blockIndex, lower[2]?.blockIndex],
      [higher[2]?.blockIndex, higher[1]?.blockIndex],
    );
    assert.equal(new Set(higher.map(({ place }) => place)).size, 8);
    assert.equal(new Set(higher.map(({ blockIndex }) => blockIndex)).size, 8);
  });

  test('what a trace let through is that of the block, as long as its longest session', () => {
    const summary = summaryFixture({ pages: 0, downloads: 0 });
    const linkRateMbps: [number, number][] = [
      [0, 12],
      [700, 3.5],
    ];
    const sessions = summary.sessions.map((session) =>
      session.blockIndex === 0
        ? { ...session, linkRateMbps: session.arm === 'h2' ? linkRateMbps.slice(0, 1) : linkRateMbps }
        : session,
    );
    const blocks = groupsOf({ ...summary, sessions })[0]?.blocks ?? [];
    for (const { blockIndex, linkRate } of blocks)
      assert.deepEqual(linkRate, blockIndex === 0 ? linkRateMbps : []);
  });

  test('what a schedule set is drawn behind the sessions of its block', () => {
    const summary = summaryFixture({ pages: 0, downloads: 0 });
    const linkSchedule = [
      { fromMs: 1000, toMs: 3000, outage: true as const },
      { fromMs: 5000, toMs: 6000, delayMs: 60 },
    ];
    const sessions = summary.sessions.map((session) =>
      session.blockIndex === 0 ? { ...session, linkSchedule } : session,
    );
    for (const { blockIndex, linkBands } of groupsOf({ ...summary, sessions })[0]?.blocks ?? [])
      assert.deepEqual(
        linkBands,
        blockIndex === 0
          ? [
              [1000, 3000, true, '1 to 3 s: nothing passes'],
              [5000, 6000, false, '5 to 6 s: 60 ms one way'],
            ]
          : [],
      );
  });

  test('many sessions are thinned, and what is left out is counted', () => {
    const summary = summaryFixture({ pages: 0, downloads: 0, videos: 4, blocks: 60 });
    const groups = groupsOf(summary);
    assert.equal(groups.length, 4);
    for (const { blocks, leftOut } of groups) assert.equal(blocks.length + leftOut, 60);
    assert.ok(JSON.stringify(groups).length < 800_000);
  });

  test('a session without chunks or with broken times does not stop the page', () => {
    const summary = summaryFixture({ pages: 0, downloads: 0 });
    const broken = summary.sessions.map((session, i) => ({
      ...session,
      chunks: i === 0 ? [] : session.chunks.map((chunk) => ({ ...chunk, lastByteMs: NaN })),
      startupDelayMs: null,
    }));
    assert.deepEqual(groupsOf({ ...summary, sessions: broken })[0]?.blocks[0]?.sessions[0]?.chunks, []);
  });
});
