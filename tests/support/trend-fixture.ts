import { trendOf } from '../../src/analyse/history/trend.ts';
import type { SeriesNight } from '../../src/analyse/history/series-night.ts';
import type { Trend } from '../../src/core/model/history.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import { gaussian } from './generated-run.ts';

const nights = 24;
/** From this night on HTTP/3 is slower, with a new version. */
const changedFrom = 15;

function nightOf(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);
}

/** Nights of two pages over both protocols in three versions of a browser; one failed, one was missed. */
export function trendFixture(): Trend {
  const random = seededRandom(5);
  const run = Array.from({ length: nights }, (_, index) => index).filter((index) => index !== 7);
  const rows = run
    .filter((index) => index !== 3)
    .flatMap((index) =>
      ['page-a', 'page-b'].flatMap((workload) =>
        ['pltMs', 'lcpMs'].flatMap((metric) =>
          ['h2', 'h3'].map((protocol): SeriesNight => {
            const gap = protocol === 'h2' ? 1 : index >= changedFrom ? 1.25 : 0.94;
            const blocks = Array.from({ length: 8 }, (_, block) => block);
            return {
              machineClass: '2 × Example CPU',
              family: 'chromium',
              build: 'full',
              protocol,
              workload,
              kind: 'page',
              metric,
              network: '4g',
              server: 'caddy',
              role: 'only',
              blocks,
              night: nightOf(index),
              startedAt: `${nightOf(index)}T02:00:00Z`,
              version: index < 8 ? '152.0.1' : index < changedFrom ? '153.0.2' : '154.0.3',
              values: blocks.map(() => 800 * gap * Math.exp(0.02 * gaussian(random))),
            };
          }),
        ),
      ),
    );
  return trendOf({
    rows,
    runs: run.map((index) => ({
      night: nightOf(index),
      state: index === 3 ? 'failed' : 'complete',
      reason: index === 3 ? '16 of 32 trials failed or were invalid' : '',
      folder: `results/${nightOf(index)}`,
    })),
    events: [],
    metrics: ['pltMs', 'lcpMs'],
    names: {
      workloads: { 'page-a': 'Front page', 'page-b': 'Basket' },
      clients: {},
      networks: { '4g': '4G while walking, 89 ms round trip' },
      servers: { caddy: 'Caddy 2.11.9' },
    },
    now: `${nightOf(nights)}T08:00:00Z`,
  });
}
