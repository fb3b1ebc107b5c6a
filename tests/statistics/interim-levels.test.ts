import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interimLevels, type PlannedInterim } from '../../src/analyse/statistics/alpha-spending.ts';
import { normalPath } from '../../src/analyse/statistics/normal-path.ts';
import { studentPath } from '../../src/analyse/statistics/student-path.ts';
import { momentsOf, studentLimit } from '../../src/analyse/statistics/student-t.ts';
import { drawNormal, seededRandom } from '../../src/core/model/seeded-random.ts';

const linear = (interims: readonly number[]): PlannedInterim[] =>
  interims.map((blocks) => ({ blocks, share: blocks / (interims.at(-1) ?? 1) }));

test('at the levels of normal increments a t statistic crosses too often; at its own as often as it may', () => {
  const interims = linear([4, 6, 8, 10, 12, 14, 16, 18, 20]);
  const crossed = (levels: readonly number[]): number => {
    const random = seededRandom(5);
    const limits = levels.map((level, i) =>
      studentLimit(1 - level, (interims[i] as PlannedInterim).blocks - 1),
    );
    let runs = 0;
    for (let run = 0; run < 40_000; run++) {
      const sample = Array.from({ length: 20 }, () => drawNormal(random));
      const crosses = interims.some(({ blocks }, i) => {
        const { mean, variance } = momentsOf(sample.slice(0, blocks));
        return Math.abs(mean) > (limits[i] as number) * Math.sqrt(variance / blocks);
      });
      if (crosses) runs++;
    }
    return runs / 40_000;
  };
  // Monte-Carlo standard error 0.11 %: the bounds are four of them away.
  const normal = crossed(interimLevels(interims, 0.05, normalPath(20)));
  const own = crossed(interimLevels(interims, 0.05, studentPath(4)));
  assert.ok(normal > 0.0525, `${normal}`);
  assert.ok(own > 0.0455 && own < 0.0545, `${own}`);
});
