import { sum } from './evidence/numbers.ts';
import { timeAsDifference, timeAsRatio, type Metric } from './metric.ts';

/** What a user waits for in a journey. */
export const journeyMetrics: readonly Metric[] = [
  {
    name: 'journeyMs',
    title: 'time of the journey',
    meaning: 'Sum of the times of all named steps: what the user waits for.',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['journey'],
    onDeadline: 'time',
    formulas: {
      journey: ({ steps }) => sum(steps.map(({ startEpochMs, endEpochMs }) => endEpochMs - startEpochMs)),
    },
  },
  {
    name: 'stepMs',
    title: 'time of the step',
    meaning: 'Start of a step of the script to the end of what its function waits for.',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['journey'],
    onDeadline: 'missing',
    formulas: {
      step: ({ startEpochMs, endEpochMs }) => endEpochMs - startEpochMs,
    },
  },
  {
    name: 'softNavigationMs',
    title: 'soft navigation',
    meaning:
      'Interaction to the largest paint of the view that it led to without a new document, else to its last byte and paint.',
    source: 'https://github.com/WICG/soft-navigations',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['journey'],
    onDeadline: 'missing',
    formulas: {
      step: ({ softNavigation }) => softNavigation?.durationMs,
    },
  },
  {
    name: 'inpMs',
    title: 'interaction to next paint',
    meaning: 'Longest click, tap or key press of a step until the next paint; less than 16 ms counts as 16.',
    source: 'https://web.dev/articles/inp',
    ...timeAsDifference,
    margin: 16,
    kinds: ['journey'],
    onDeadline: 'missing',
    formulas: {
      step: ({ interactionMs }) => interactionMs ?? undefined,
    },
  },
];
