import { nightsToFind } from '../../src/core/model/history.ts';
import type { Noise } from './noise.ts';
import type { NightCell } from './simulate-nights.ts';
import type { SpreadCell } from './simulate-spread.ts';
import type { PlanningCell } from './simulate-planning.ts';
import type { Cell } from './simulate.ts';

const margin = 1.03;
const sites = (ratio: number, count = 8): number[] => Array.from({ length: count }, () => ratio);
const pooled = { noise: 'normal', spread: 0.08, blocks: 20, pooled: true, sequential: false } as const;
const sequential = { ...pooled, sequential: true } as const;
const unpooled = { ...pooled, pooled: false, spread: 0.03 } as const;
const noises: readonly Noise[] = ['normal', 'heavy', 'outliers', 'bimodal'];

const shapes = noises.flatMap((noise): Cell[] => [
  { ...pooled, noise, name: `pooled, no difference, ${noise}`, ratios: sites(1) },
  { ...pooled, noise, name: `pooled, at the margin, ${noise}`, ratios: sites(margin) },
  { ...pooled, noise, blocks: 4, name: `pooled, 4 blocks, at the margin, ${noise}`, ratios: sites(margin) },
  { ...sequential, noise, name: `sequential, no difference, ${noise}`, ratios: sites(1) },
  { ...sequential, noise, name: `sequential, at the margin, ${noise}`, ratios: sites(margin) },
  { ...sequential, noise, name: `sequential, +5 %, ${noise}`, ratios: sites(1.05) },
  { ...sequential, noise, name: `sequential, +10 %, ${noise}`, ratios: sites(1.1) },
  { ...unpooled, noise, name: `1 unpooled, at the margin, ${noise}`, ratios: [margin] },
]);

const lengths = [6, 8, 12, 20].flatMap((blocks): Cell[] => [
  { ...pooled, blocks, name: `pooled, ${blocks} blocks, at the margin`, ratios: sites(margin) },
  { ...pooled, blocks, name: `pooled, ${blocks} blocks, +5 %`, ratios: sites(1.05) },
  { ...pooled, blocks, name: `pooled, ${blocks} blocks, +10 %`, ratios: sites(1.1) },
  { ...unpooled, blocks, name: `1 unpooled, ${blocks} blocks, at the margin`, ratios: [margin] },
  { ...unpooled, blocks, name: `1 unpooled, ${blocks} blocks, +5 %`, ratios: [1.05] },
  { ...unpooled, blocks, name: `1 unpooled, ${blocks} blocks, +10 %`, ratios: [1.1] },
]);

const families = [4, 8, 20].flatMap((count): Cell[] => [
  { ...unpooled, name: `${count} unpooled, all at the margin`, ratios: sites(margin, count) },
  {
    ...unpooled,
    sequential: true,
    name: `sequential, ${count} unpooled, all at the margin`,
    ratios: sites(margin, count),
  },
]);

const dependent = (
  [
    ['drift of 20 % over the run', { drift: 0.2 }],
    ['AR(1) of trials 0.5', { memory: 0.5 }],
    ['AR(1) of blocks 0.7, both arms alike', { blockMemory: 0.7 }],
    ['AR(1) of blocks 0.5, one arm only', { armMemory: 0.5 }],
    ['unequal sites (0.02 to 0.3)', { spread: [0.02, 0.02, 0.04, 0.04, 0.08, 0.08, 0.15, 0.3] }],
    ['ties (multiples of 50 ms)', { gridMs: 50 }],
  ] as const
).flatMap(([words, changed]): Cell[] => [
  { ...pooled, ...changed, name: `pooled, at the margin, ${words}`, ratios: sites(margin) },
  { ...sequential, ...changed, name: `sequential, at the margin, ${words}`, ratios: sites(margin) },
]);

const ties: Cell[] = [
  { ...unpooled, gridMs: 10, name: '1 unpooled, no difference, ties (10 ms of 500)', ratios: [1] },
  { ...unpooled, gridMs: 10, name: '4 unpooled, at the margin, ties (10 ms)', ratios: sites(margin, 4) },
];

const losses: Cell[] = [
  { ...pooled, lossShare: 0.05, name: 'pooled, 5 % of trials lost, at the margin', ratios: sites(margin) },
  { ...pooled, lossShare: 0.05, name: 'pooled, 5 % of trials lost, +10 %', ratios: sites(1.1) },
  { ...pooled, blocks: 8, lossShare: 0.05, name: 'pooled, 8 blocks, 5 % lost, +10 %', ratios: sites(1.1) },
  { ...pooled, blocks: 8, name: 'pooled, 8 blocks, none lost, +10 %', ratios: sites(1.1) },
  { ...sequential, lossShare: 0.05, name: 'sequential, 5 % lost, +10 %', ratios: sites(1.1) },
  {
    ...pooled,
    losesSlowest: true,
    name: 'pooled, slowest tenth of one arm lost, no difference',
    ratios: sites(1),
  },
  {
    ...pooled,
    losesSlowest: true,
    name: 'pooled, slowest tenth of one arm lost, at the margin',
    ratios: sites(margin),
  },
  {
    ...unpooled,
    losesSlowest: true,
    name: '1 unpooled, slowest tenth of one arm lost, at the margin',
    ratios: [margin],
  },
];

const segments = (shares: readonly number[], ratios: readonly number[]): Pick<Cell, 'shares' | 'ratios'> => ({
  shares,
  ratios,
});
const five = [0.4, 0.25, 0.2, 0.1, 0.05];
const seven = [0.25, 0.2, 0.15, 0.1, 0.1, 0.1, 0.1];
const alike = (ratio: number): number[] => five.map(() => ratio);
/** Slow segments vary more. */
const unequal = [0.04, 0.06, 0.08, 0.12, 0.2];

const audiences: Cell[] = [
  ...noises.map((noise): Cell => ({
    ...pooled,
    ...segments(five, alike(margin)),
    noise,
    name: `audience of five segments, at the margin, ${noise}`,
  })),
  // As sure as six equal ones, so judged by the t test; five are as sure as three and a half.
  ...noises.map((noise): Cell => ({
    ...pooled,
    ...segments(
      seven,
      seven.map(() => margin),
    ),
    noise,
    blocks: 8,
    name: `audience of seven segments, 8 blocks, at the margin, ${noise}`,
  })),
  { ...pooled, ...segments(five, alike(1)), name: 'audience of five segments, no difference' },
  {
    ...pooled,
    ...segments(five, alike(margin)),
    blocks: 8,
    name: 'audience of five segments, 8 blocks, at the margin',
  },
  {
    ...pooled,
    ...segments(five, alike(margin)),
    spread: unequal,
    name: 'audience of five unequal segments, at the margin',
  },
  {
    ...pooled,
    ...segments([0.85, 0.1, 0.05], [margin, margin, margin]),
    name: 'audience of one large segment, at the margin',
  },
  {
    ...pooled,
    ...segments(five, [0.9, 0.9, 1, 1.2, 1.5]),
    spread: unequal,
    name: 'audience that gains and loses',
  },
  {
    ...sequential,
    ...segments(five, alike(margin)),
    name: 'sequential, audience of five segments, at the margin',
  },
  {
    ...pooled,
    ...segments(five, alike(margin)),
    lossShare: 0.05,
    name: 'audience of five segments, 5 % of trials lost, at the margin',
  },
];

/** Two pages in each of five segments: as sure as eight equal parts, so judged by the t test from four blocks on. */
const tenParts = five.flatMap((share) => [share / 2, share / 2]);
const unequalParts = unequal.flatMap((spread) => [spread, spread]);
const allParts = (ratio: number): number[] => tenParts.map(() => ratio);

const partsOfAudiences: Cell[] = [
  ...noises.flatMap((noise): Cell[] => [
    {
      ...sequential,
      ...segments(tenParts, allParts(margin)),
      noise,
      name: `sequential, audience of ten equal parts, at the margin, ${noise}`,
    },
    {
      ...sequential,
      ...segments(tenParts, allParts(margin)),
      noise,
      spread: unequalParts,
      name: `sequential, audience of ten unequal parts, at the margin, ${noise}`,
    },
    {
      ...pooled,
      ...segments(tenParts, allParts(margin)),
      noise,
      blocks: 4,
      spread: unequalParts,
      name: `audience of ten unequal parts, 4 blocks, at the margin, ${noise}`,
    },
  ]),
  {
    ...sequential,
    ...segments(tenParts, allParts(1)),
    spread: unequalParts,
    name: 'sequential, audience of ten unequal parts, no difference',
  },
  {
    ...sequential,
    ...segments(
      tenParts,
      tenParts.map((_, part) => (part === 2 ? 1.2 : 0.85)),
    ),
    spread: unequalParts,
    name: 'sequential, audience of ten unequal parts of which one loses',
  },
];

/** Every cell of the table of error rates. */
export const errorCells: readonly Cell[] = [
  ...shapes,
  ...lengths,
  ...families,
  ...dependent,
  ...ties,
  ...losses,
  ...audiences,
  ...partsOfAudiences,
  { ...pooled, name: 'four sites +15 %, four −13 %', ratios: [...sites(1.15, 4), ...sites(0.87, 4)] },
];

/** Truths whose blocks needed are sought, among them such as 200 blocks do not decide. */
export const planningCells: readonly PlanningCell[] = (['t', 'signed-rank'] as const).flatMap((test) =>
  noises.flatMap((noise) => [
    { test, noise, ratio: 1, spread: 0.04, comparisons: 1 },
    { test, noise, ratio: 1.06, spread: 0.04, comparisons: 1 },
    { test, noise, ratio: 1.1, spread: 0.08, comparisons: 4 },
    { test, noise, ratio: 1.05, spread: 0.08, comparisons: 1 },
  ]),
);

/** Series of nights, without a step and with one. */
export const nightCells: readonly NightCell[] = [
  ...[0, 0.3, 0.5, 0.7].flatMap((memory) => [20, 40].map((nights) => ({ nights, memory, step: 0 }))),
  ...nightsToFind.map(({ step, nights }) => ({ nights, memory: 0, step })),
  { nights: 29, memory: 0.5, step: 3 },
];

/** Arms that vary alike, and unlike. */
export const spreadCells: readonly SpreadCell[] = noises.flatMap((noise) =>
  [8, 20].flatMap((blocks) =>
    [0, 1].flatMap((shared) => [1, 2].map((ratio): SpreadCell => ({ noise, blocks, shared, ratio }))),
  ),
);
