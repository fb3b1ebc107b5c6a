import { simulate, shareText } from './simulate.ts';
import type { Cell, Noise } from './simulate.ts';
import { nightsToFind } from '../../src/model/history.ts';
import { simulateNights } from './simulate-nights.ts';

/** Runs of each cell; the first argument overrides it. */
const runs = Number(process.argv[2] ?? 1000);
const margin = 1.03;
const sites = (ratio: number, count = 8): number[] => Array.from({ length: count }, () => ratio);
const base = { noise: 'normal', spread: 0.08, blocks: 20, pooled: true, sequential: false } as const;
const noises: readonly Noise[] = ['normal', 'heavy', 'outliers', 'bimodal'];

const cells: Cell[] = [
  ...noises.flatMap((noise) => [
    { ...base, noise, name: `pooled, no difference, ${noise}`, ratios: sites(1) },
    { ...base, noise, name: `pooled, at the margin, ${noise}`, ratios: sites(margin) },
    { ...base, noise, blocks: 4, name: `pooled, 4 blocks, at the margin, ${noise}`, ratios: sites(margin) },
    { ...base, noise, sequential: true, name: `sequential, no difference, ${noise}`, ratios: sites(1) },
    { ...base, noise, sequential: true, name: `sequential, at the margin, ${noise}`, ratios: sites(margin) },
    { ...base, noise, sequential: true, name: `sequential, +5 %, ${noise}`, ratios: sites(1.05) },
    { ...base, noise, sequential: true, name: `sequential, +10 %, ${noise}`, ratios: sites(1.1) },
  ]),
  ...[6, 8, 12].map((blocks) => ({
    ...base,
    blocks,
    name: `pooled, ${blocks} blocks, at the margin`,
    ratios: sites(margin),
  })),
  { ...base, name: 'pooled, 5 % of trials lost, +10 %', ratios: sites(1.1), lossShare: 0.05 },
  {
    ...base,
    blocks: 8,
    name: 'pooled, 8 blocks, 5 % of trials lost, +10 %',
    ratios: sites(1.1),
    lossShare: 0.05,
  },
  {
    ...base,
    name: 'pooled, slowest tenth of one arm lost, no difference',
    ratios: sites(1),
    losesSlowest: true,
  },
  { ...base, name: 'four sites +15 %, four −13 %', ratios: [...sites(1.15, 4), ...sites(0.87, 4)] },
  ...[4, 8, 20].map((count) => ({
    ...base,
    pooled: false,
    spread: 0.03,
    name: `${count} unpooled primaries, all at the margin`,
    ratios: sites(margin, count),
  })),
  {
    ...base,
    pooled: false,
    sequential: true,
    spread: 0.03,
    name: 'sequential, 4 unpooled, at the margin',
    ratios: sites(margin, 4),
  },
];

const line = (fields: readonly string[]): void => {
  process.stdout.write(`| ${fields.join(' | ')} |\n`);
};
line(['cell', 'any better or worse', 'any equivalent', 'any mixed', 'coverage of 95 %', 'mean blocks']);
line(['---', '---', '---', '---', '---', '---']);
for (const [index, cell] of cells.entries()) {
  const { verdicts, coverage, meanBlocks } = simulate(cell, runs, index + 1);
  line([
    cell.name,
    shareText(verdicts.better + verdicts.worse, runs),
    shareText(verdicts.equivalent, runs),
    shareText(verdicts.mixed, runs),
    `${(coverage * 100).toFixed(1)} %`,
    meanBlocks.toFixed(1),
  ]);
}

process.stdout.write('\n');
line([
  'nights',
  'autocorrelation',
  'step, standard deviations',
  'any change',
  'change within a night of the step',
]);
line(['---', '---', '---', '---', '---']);
const quiet = [0, 0.3, 0.5, 0.7].flatMap((memory) => [20, 40].map((nights) => ({ nights, memory, step: 0 })));
const stepped = nightsToFind.map(({ step, nights }) => ({ nights, memory: 0, step }));
for (const cell of [...quiet, ...stepped, { nights: 22, memory: 0.5, step: 3 }]) {
  const { found, placed } = simulateNights(cell, runs, 1);
  const place = cell.step === 0 ? '' : shareText(placed, runs);
  line([`${cell.nights}`, `${cell.memory}`, `${cell.step}`, shareText(found, runs), place]);
}
