import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateTrace } from '../../../../../harness/network/traces/generate-trace.ts';
import { parseSecondsMbps } from '../../../../../harness/network/traces/read-trace.ts';
import { meanMbps, type Trace } from '../../../../../harness/network/traces/trace.ts';
import { traceGenerators } from '../../../../../src/core/model/network-spec.ts';
import { statisticsOf, type TraceStatistics } from './trace-statistics.ts';

/** The statistics that the generator is fitted to; the outage shares are the range of the measured traces. */
const published: Readonly<
  Record<string, Omit<TraceStatistics, 'outageShare'> & { readonly outages: readonly [number, number] }>
> = {
  '4g-walking': {
    mean: 35,
    median: 20,
    p95: 117,
    outages: [0.007, 0.046],
    afterOneSecond: 0.95,
    afterFiveSeconds: 0.87,
  },
  '4g-driving': {
    mean: 39,
    median: 29,
    p95: 104,
    outages: [0, 0.037],
    afterOneSecond: 0.89,
    afterFiveSeconds: 0.53,
  },
  '5g-walking': {
    mean: 559,
    median: 439,
    p95: 1540,
    outages: [0.003, 0.048],
    afterOneSecond: 0.92,
    afterFiveSeconds: 0.73,
  },
  '5g-driving': {
    mean: 332,
    median: 135,
    p95: 1136,
    outages: [0, 0.058],
    afterOneSecond: 0.84,
    afterFiveSeconds: 0.4,
  },
};

function ratesOf(trace: Trace): number[] {
  return trace.kind === 'steps' ? trace.steps.map(({ mbps }) => mbps) : [];
}

function source(generator: (typeof traceGenerators)[number], seed: number, durationSeconds: number) {
  return { format: 'generated', generator, seed, durationSeconds, scale: 1 } as const;
}

for (const generator of traceGenerators) {
  test(`a long generated ${generator} trace has the published statistics within 10 %`, () => {
    const expected = published[generator];
    assert.ok(expected);
    const got = statisticsOf(ratesOf(generateTrace(source(generator, 1, 86_400))));
    for (const name of ['mean', 'median', 'p95', 'afterOneSecond', 'afterFiveSeconds'] as const) {
      const error = Math.abs(got[name] / expected[name] - 1);
      assert.ok(error <= 0.1, `${name}: ${got[name].toPrecision(3)} of ${expected[name]}`);
    }
    const [least, most] = expected.outages;
    assert.ok(got.outageShare >= least && got.outageShare <= most, `outages ${got.outageShare}`);
  });
}

test('a seed gives the same trace again, another seed another', () => {
  assert.deepEqual(generateTrace(source('4g-driving', 5, 300)), generateTrace(source('4g-driving', 5, 300)));
  assert.notDeepEqual(
    generateTrace(source('4g-driving', 5, 300)),
    generateTrace(source('4g-driving', 6, 300)),
  );
});

test('a scale multiplies every rate', () => {
  const whole = meanMbps(generateTrace(source('5g-walking', 2, 1000)));
  const part = meanMbps(generateTrace({ ...source('5g-walking', 2, 1000), scale: 0.1 }));
  assert.ok(Math.abs(part / whole - 0.1) < 0.001);
});

const folder = process.env['H2H3_TRACES'];

test(
  'generated traces lie within the range of measured ones of their class',
  { skip: folder === undefined ? 'H2H3_TRACES names no folder with measured traces' : false },
  () => {
    const files = readdirSync(folder ?? '');
    for (const generator of traceGenerators) {
      const [generation = '', motion = ''] = generator.split('-');
      const measured = files
        .filter((name) => name.startsWith(generation) && name.includes(motion))
        .map((name) => parseSecondsMbps(readFileSync(join(folder ?? '', name), 'utf8'), name))
        .map((trace) => statisticsOf(ratesOf(trace)));
      assert.ok(measured.length > 1, `no ${generator} traces in ${folder}`);
      const got = statisticsOf(ratesOf(generateTrace(source(generator, 1, 86_400))));
      for (const name of ['mean', 'median', 'p95', 'afterOneSecond', 'afterFiveSeconds'] as const) {
        const values = measured.map((one) => one[name]);
        const least = Math.min(...values);
        const most = Math.max(...values);
        const text = `${generator} ${name}: ${got[name].toFixed(2)} of ${least.toFixed(2)} to ${most.toFixed(2)}`;
        assert.ok(got[name] >= 0.9 * least && got[name] <= 1.1 * most, text);
      }
    }
  },
);
