import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planReplica, type ReplicaPlan } from '../../../../sites/replicas/plan-replica.ts';
import { scriptWork } from '../../../../sites/replicas/script-work.ts';
import { shippedShapes } from '../../../../sites/replicas/shipped-shapes.ts';
import { realPages } from '../../../../src/core/model/real-pages.ts';

const plans = shippedShapes().map(planReplica);

/** The value that this share of the hundred is below, as in the published distributions. */
function quantile(figure: (plan: ReplicaPlan) => number, share: number): number {
  return plans.map(figure).sort((a, b) => a - b)[Math.floor(share * plans.length)] ?? NaN;
}

function blockingOf({ objects }: ReplicaPlan): number {
  return objects.reduce((sum, { workMs }) => sum + Math.max(0, workMs - 50), 0);
}

test('the blocking time of the hundred replicas is distributed as the published one', () => {
  for (const [share, ms] of realPages.tbtMs.quantiles) {
    const got = quantile(blockingOf, share);
    assert.ok(Math.abs(got - ms) <= Math.max(2, ms / 50), `${share}: ${got} ms, published ${ms}`);
  }
});

test('work is the scripts’ alone, the longest that of the largest, and the same in every plan', () => {
  for (const [at, { objects, syntheticDelayMs, site }] of plans.entries()) {
    assert.ok(
      objects.every(({ type, means, workMs }) => workMs === 0 || (type === 'js' && means !== 'fetch')),
    );
    assert.equal(
      objects.reduce((sum, { workMs }) => sum + workMs, 0),
      syntheticDelayMs,
    );
    const shape = shippedShapes()[at];
    assert.ok(shape);
    assert.deepEqual(planReplica(shape).objects, objects, site);
    const busy = objects.filter(({ workMs }) => workMs > 0).sort((a, b) => b.rawBytes - a.rawBytes);
    busy.slice(1).forEach((object, index) => assert.ok(object.workMs <= (busy[index]?.workMs ?? 0), site));
  }
});

test('a page with one large script blocks in one task, and one without scripts not at all', () => {
  assert.deepEqual([...scriptWork('a', [{ row: 3, rawBytes: 3_542_000 }])], [[3, 142]]);
  assert.equal(scriptWork('a', []).size, 0);
});

test('the page of sites says of the hundred replicas what they are', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/sites.md'), 'utf8');
  const figures: Readonly<Record<string, (plan: ReplicaPlan) => number>> = {
    'requests, replicas': ({ objects }) => objects.length,
    'kB, replicas': ({ objects }) => objects.reduce((sum, { wireBytes }) => sum + wireBytes, 0) / 1000,
    'hosts, replicas': ({ hostCount }) => hostCount,
    'blocking time in ms, replicas': blockingOf,
    'longest chain, replicas': maxChainLength,
  };
  for (const [name, figure] of Object.entries(figures)) {
    const cells = new RegExp(`^\\| ${name} +\\|(.*)\\|$`, 'm').exec(text)?.[1]?.split('|') ?? [];
    const expected = [0.1, 0.25, 0.5, 0.75, 0.9].map((share) => String(Math.round(quantile(figure, share))));
    assert.deepEqual(
      cells.map((cell) => cell.trim()),
      expected,
      name,
    );
  }
});

/** How many objects came one after the other before the last of them, and it; the document's own have 1. */
function maxChainLength({ objects, waves, document }: ReplicaPlan): number {
  const depths: number[] = [];
  for (const { row, cause, wave } of objects.toSorted((a, b) => a.wave - b.wave || a.row - b.row)) {
    const before = [...(cause === null ? [] : [cause]), ...(waves[wave - 1]?.triggers ?? [])];
    depths[row] = row === document ? 0 : 1 + Math.max(0, ...before.map((each) => depths[each] ?? 0));
  }
  return Math.max(...depths);
}
