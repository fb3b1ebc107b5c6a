import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLooks, judgeLook, scheduledLevels } from '../../../src/analyse/sequential-look.ts';
import type { LookInput } from '../../../src/analyse/sequential-look.ts';
import { seededRandom } from '../../../src/model/seeded-random.ts';
import { gaussian } from '../../support/generated-run.ts';

const rules = { scaleMargin: 0.03, higherIsBetter: false };
const slower = Array.from({ length: 20 }, (_, i) => 0.2 + i / 1000);
const noise = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (0.1 + i / 500));

/** Looks one after the other until a decision. */
function runLooks(effects: readonly number[], input: Omit<LookInput, 'effects' | 'look'>): string {
  for (const [look, blocks] of defaultLooks.entries()) {
    const { action, verdict } = judgeLook({ ...input, effects: effects.slice(0, blocks), look });
    if (action !== 'continue') return verdict;
  }
  return 'never ended';
}

test('a clear effect is decided at the first look', () => {
  const outcome = judgeLook({ ...rules, effects: slower.slice(0, 12), look: 0 });
  assert.equal(outcome.action, 'decided');
  assert.equal(outcome.verdict, 'worse');
  assert.equal(outcome.nextLookBlocks, null);
  assert.equal(outcome.level, scheduledLevels()[0]);
});

test('noise goes on to the next look and ends undecided after the last', () => {
  const strict = { scaleMargin: 0.001, higherIsBetter: false };
  const first = judgeLook({ ...strict, effects: noise.slice(0, 12), look: 0 });
  assert.deepEqual([first.action, first.nextLookBlocks], ['continue', 16]);
  const last = judgeLook({ ...strict, effects: noise, look: 2 });
  assert.deepEqual([last.action, last.verdict, last.nextLookBlocks], ['undecided', 'inconclusive', null]);
});

test('a family of comparisons needs a smaller p', () => {
  const input = { ...rules, effects: slower.slice(0, 12), look: 0 };
  assert.equal(judgeLook({ ...input, comparisons: 100 }).action, 'continue');
  assert.equal(judgeLook({ ...input, comparisons: 10 }).action, 'decided');
});

test('a look that does not exist or comes too early is refused', () => {
  assert.throws(() => judgeLook({ ...rules, effects: slower, look: 3 }), /3 looks/);
  assert.throws(
    () => judgeLook({ ...rules, effects: slower.slice(0, 11), look: 0 }),
    /needs 12 blocks, got 11/,
  );
});

test('over all looks the false alarms of a zero margin stay within 5 %, and above half of it', () => {
  const random = seededRandom(20);
  const runs = 4000;
  let alarms = 0;
  for (let run = 0; run < runs; run++) {
    const effects = Array.from({ length: 20 }, () => gaussian(random));
    if (runLooks(effects, { scaleMargin: 0, higherIsBetter: true }) !== 'inconclusive') alarms++;
  }
  // Nominal 5 % and three standard errors; exact tests are conservative, so the rate lies below.
  assert.ok(alarms / runs < 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs), `${alarms / runs}`);
  assert.ok(alarms / runs > 0.025, `${alarms / runs}`);
});

test('no effect with a practical margin hardly ever alarms, and is mostly found equivalent', () => {
  const random = seededRandom(21);
  const verdicts = Array.from({ length: 1000 }, () =>
    runLooks(
      Array.from({ length: 20 }, () => 0.04 * gaussian(random)),
      rules,
    ),
  );
  assert.ok(verdicts.filter((verdict) => verdict === 'better' || verdict === 'worse').length <= 5);
  assert.ok(verdicts.filter((verdict) => verdict === 'equivalent').length > 500);
});
