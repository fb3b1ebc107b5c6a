import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { flightTrios } from '../../../../src/analyse/comparison/flight-trios.ts';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { firstFlightShares } from '../../../../src/analyse/first-flights/first-flight-share.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { gaussian, generateRun } from '../../../support/generated-run.ts';

/** Load times of HTTP/3 and of HTTP/2 with a larger window, where HTTP/2 takes 500 ms. */
interface Times {
  readonly h3Ms: number;
  readonly equalMs: number;
  readonly blocks?: number;
  readonly networks?: readonly string[];
}

function sharesOf(
  { h3Ms, equalMs, blocks = 8, networks = ['host'] }: Times,
  arms = ['h2', 'h3', 'h2+initialwindow=32'],
): string[] {
  const random = seededRandom(5);
  const times: Record<string, number> = { h2: 500, h3: h3Ms, 'h2+initialwindow=32': equalMs };
  const run = generateRun({
    arms: parseArms(arms),
    blocks,
    networks,
    alter: (record) => ({
      ...record,
      metrics: { pltMs: (times[record.arm] ?? 0) + 5 * gaussian(random) },
    }),
  });
  return firstFlightShares(run.plan, buildTrialTable(run.plan, run.records), 0.95, (id) => `“${id}”`);
}

test('the share of a gain that vanishes when both begin alike is told with its interval', () => {
  const [sentence = '', ...others] = sharesOf({ h3Ms: 400, equalMs: 450 });
  assert.deepEqual(others, []);
  const form =
    /^(\d+) % \(95 % interval (\d+) to (\d+) %, 8 blocks\) of the difference in page load time between HTTP\/3 and HTTP\/2 vanishes with an initial window of 32 packets$/;
  const [, share, low, high] = (form.exec(sentence) ?? []).map(Number);
  assert.ok(share !== undefined && low !== undefined && high !== undefined, sentence);
  assert.ok(low < share && share < high && low < 50 && high > 50 && high - low < 20, sentence);
});

test('a window that HTTP/3 sets itself has its share told likewise', () => {
  const arms = parseArms(['h2', 'h3+initialwindow=64', 'h2+initialwindow=64']);
  const [trio, ...others] = flightTrios(arms);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [trio?.baseline.label, trio?.candidate.label, trio?.equal.label],
    ['h2', 'h3+initialwindow=64', 'h2+initialwindow=64'],
  );
});

test('of several networks each has its sentence, by its name', () => {
  const sentences = sharesOf({ h3Ms: 400, equalMs: 450, networks: ['dsl', 'cable'] });
  assert.deepEqual(
    sentences.map((sentence) => /HTTP\/2 over “(\w+)” vanishes/.exec(sentence)?.[1]),
    ['dsl', 'cable'],
  );
});

test('a gain that turns into a loss is more than all of it', () => {
  assert.match(sharesOf({ h3Ms: 450, equalMs: 400 })[0] ?? '', /^(1[6-9]\d|2[0-4]\d) % /);
});

test('nothing is told without a difference, of too few blocks, and where no arm begins alike', () => {
  assert.deepEqual(sharesOf({ h3Ms: 500, equalMs: 450 }), []);
  assert.deepEqual(sharesOf({ h3Ms: 400, equalMs: 450, blocks: 3 }), []);
  assert.deepEqual(sharesOf({ h3Ms: 400, equalMs: 450 }, ['h2', 'h3']), []);
});

test('a run with the arm that begins alike answers for the protocols, and says first how much is not theirs', () => {
  const times: Record<string, number> = { h2: 500, h3: 400, 'h2+initialwindow=32': 385 };
  const random = seededRandom(7);
  const { plan, records } = generateRun({
    arms: parseArms(Object.keys(times)),
    blocks: 8,
    plan: {
      compare: [
        ['h2', 'h3'],
        ['h2+initialwindow=32', 'h3'],
      ],
    },
    alter: (record) => ({
      ...record,
      metrics: { pltMs: (times[record.arm] ?? 0) + 5 * gaussian(random) },
    }),
  });
  const { headline, detail } = summarise(plan, records, null, []).firstScreen;
  assert.match(headline, /loads? .*(19|20|21) %.* faster over HTTP\/3/);
  assert.doesNotMatch(headline, /window|slower/);
  assert.match(detail, /^1\d\d % \(95 % interval .*\) of the difference in page load time/);
});
