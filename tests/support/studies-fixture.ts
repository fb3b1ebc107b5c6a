import type { Agreement, PublishedResult } from '../../src/core/model/published.ts';
import type { ExperimentResult, Studies } from '../../src/core/model/studies.ts';

const outcomes: readonly Agreement[] = [
  'same',
  'same',
  'precondition absent',
  'other',
  'undecided',
  'not measured',
];

/** A made-up published result with its outcome. */
export function resultFixture(agreement: Agreement, more: Partial<PublishedResult> = {}): PublishedResult {
  const comparison: PublishedResult['ours'][number] = {
    place: 'cable',
    text: 'HTTP/3 against HTTP/2: +2 % (1 to 3 %), 8 blocks',
    change: '+2.0 % (+1.0 to +3.0 %)',
    form: 'ratio',
    effect: 0.02,
    interval: [0.01, 0.03],
    level: 102,
    levelInterval: [101, 103],
    blocks: 8,
    outcome: 'same',
  };
  return {
    study: 'A study',
    experiment: 'load',
    metric: 'pltMs',
    figure: '3 % longer',
    machine: 'theirs',
    source: 'figure 2',
    expects: 'worse',
    ours: agreement === 'not measured' ? [] : [comparison],
    ourMachine: 'ours',
    agreement,
    sizeWords: 'published size inside our interval',
    ...more,
  };
}

/** A made-up experiment that was run. */
export function experimentFixture(more: Partial<ExperimentResult> = {}): ExperimentResult {
  return {
    id: 'A1',
    preset: 'a-pages',
    study: 'A study',
    place: 'table 1',
    title: 'pages',
    run: {
      path: 'a-pages-quick',
      scale: 'quick',
      revision: 'abc123',
      startedAt: '2026-01-01T00:00:00Z',
      trialsOk: 16,
      trialsPlanned: 16,
      trialsDone: 16,
      exploratory: false,
      timed: true,
      disturbances: [],
      blocks: 8,
      clients: ['Chromium 156'],
    },
    results: [],
    figures: [
      {
        title: 'Load times',
        place: 'figure 2',
        kind: 'points',
        yTitle: 'ms',
        shows: 'HTTP/3 is slower in the study.',
        metrics: ['pltMs'],
        x: ['cable', 'fibre'],
        rows: [],
        series: [
          {
            name: 'HTTP/2',
            published: [{ x: 'cable', low: 100, high: 100 }],
            points: [{ x: 'cable', value: 101, interval: [99, 104] }],
            values: [],
          },
          {
            name: 'HTTP/3',
            published: [{ x: 'cable', low: 102, high: 106 }],
            points: [{ x: 'cable', value: 103, interval: [101, 105] }],
            values: [],
          },
        ],
        cells: [],
        shares: [],
        transitions: [],
      },
    ],
    ...more,
  };
}

/** Studies of made-up figures: one experiment that was run, with an outcome of each kind, and one that was not. */
export function studiesFixture(): Studies {
  return {
    schemaVersion: 1,
    revision: 'abc123',
    experiments: [
      experimentFixture({
        results: [
          ...outcomes.map((agreement) => resultFixture(agreement)),
          resultFixture('same', { countedIn: 'A2' }),
        ],
      }),
      {
        id: 'A2',
        preset: 'a-sweep',
        study: 'A study',
        place: 'table 1',
        title: 'rates',
        results: [],
        figures: [],
      },
    ],
  };
}
