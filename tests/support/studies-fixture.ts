import type { Agreement, Studies } from '../../src/model/studies.ts';

const outcomes: readonly Agreement[] = [
  'same',
  'same',
  'same, small',
  'partly',
  'other',
  'undecided',
  'not measured',
];

/** Studies of made-up figures: one experiment that was run, with an outcome of each kind, and one that was not. */
export function studiesFixture(): Studies {
  const base = { study: 'A study', place: 'table 1', title: 'pages' };
  return {
    schemaVersion: 1,
    signs: [],
    experiments: [
      {
        ...base,
        id: 'A1',
        preset: 'a-pages',
        run: {
          path: 'a-pages-quick',
          startedAt: '2026-01-01T00:00:00Z',
          trialsOk: 16,
          trialsPlanned: 16,
          trialsDone: 16,
          exploratory: false,
          disturbances: [],
          blocks: 8,
          clients: ['Chromium 156'],
        },
        figures: outcomes.map((agreement) => ({
          study: 'A study',
          experiment: 'load',
          metric: 'pltMs',
          figure: '3 % longer',
          machine: 'theirs',
          source: 'figure 2',
          ours: agreement === 'not measured' ? [] : [{ place: 'cable', text: '2 % longer' }],
          ourMachine: 'ours',
          expects: 'worse',
          agreement,
        })),
      },
      { ...base, id: 'A2', preset: 'a-sweep', figures: [] },
    ],
  };
}
