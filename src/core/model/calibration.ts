import { z } from 'zod';
import { armProtocolSchema } from './protocol.ts';
import { workloadKindSchema } from './workload.ts';

const atBlocksSchema = z.array(z.object({ blocks: z.number(), value: z.number() }));

/** Noise of one metric: what the same arm twice differs by. */
export const noiseSeriesSchema = z.object({
  workload: z.string(),
  workloadKind: workloadKindSchema,
  client: z.string(),
  network: z.string(),
  server: z.string(),
  /** The arm that was run twice, without its number: `h2`, `chromium@153:h3`. */
  arm: z.string(),
  metric: z.string(),
  unit: z.string(),
  form: z.enum(['ratio', 'difference']),
  margin: z.number(),
  /** Blocks recorded. */
  blocks: z.number(),
  /** Spread of the per-block effect: standard deviation by quartiles; of the logarithm for ratios, else in `unit`. */
  noise: z.number(),
  /** Smallest true change found worse in 80 % of runs of so many blocks, beyond the margin: a share, or in `unit`. */
  smallestEffect: atBlocksSchema,
  /** Smallest margin at which no change is found equivalent in 80 % of runs of so many blocks. */
  smallestMargin: atBlocksSchema,
});
export type NoiseSeries = z.infer<typeof noiseSeriesSchema>;

export const powerRowSchema = z.object({
  /** What was injected, in words. */
  injection: z.string(),
  workload: z.string(),
  metric: z.string(),
  arm: z.string(),
  resamples: z.number(),
  /** Share of resampled runs with the verdict `worse` (or the attribution), by blocks. */
  detected: z.array(z.object({ blocks: z.number(), share: z.number() })),
  /** The same of sequential runs of at most 20 blocks. */
  sequential: z.number(),
});
export type PowerRow = z.infer<typeof powerRowSchema>;

/** What runs of one thing differ by although nothing changed: the noise of a comparison between runs. */
export const betweenRunNoiseSchema = z.object({
  workload: z.string(),
  workloadKind: workloadKindSchema,
  network: z.string(),
  metric: z.string(),
  /** Of the gap between two arms, or of the level of one. */
  what: z.enum(['gap', 'level']),
  /** The arm, or the arms of the gap, as far as they are known. */
  arms: z.array(z.string()),
  form: z.enum(['ratio', 'difference']),
  /** Standard deviation of a run's figure from run to run: of the logarithm for ratios. */
  sd: z.number(),
  /** Runs from which it comes. */
  runs: z.number(),
  source: z.enum(['calibration', 'history']),
});
export type BetweenRunNoise = z.infer<typeof betweenRunNoiseSchema>;

/** By how much more recording slows one protocol than the other, over the workloads of a kind in one client on one network. */
export const instrumentationAsymmetrySchema = z.object({
  /**
   * What was added: what recorded trials record, the library with which a journey's script drives the browser, or what a
   * plan asks of the browser: headers for some requests, others not sent, a script in each document that settles chance.
   */
  of: z.enum(['recording', 'driver', 'header', 'block', 'deterministic']),
  workloadKind: workloadKindSchema,
  client: z.string(),
  network: z.string(),
  baseline: armProtocolSchema,
  candidate: armProtocolSchema,
  /** (Candidate with ÷ without) ÷ (baseline with ÷ without) of their load times. */
  ratio: z.number(),
  /** Upper 95 % bound of how far that may be from 1. */
  bound: z.number(),
  /** Blocks with it from which it comes. */
  blocks: z.number().int(),
});
export type InstrumentationAsymmetry = z.infer<typeof instrumentationAsymmetrySchema>;

/** What A/A runs of one class of machine say; `results/calibration/<class>.json`. */
export const calibrationSchema = z.object({
  schemaVersion: z.literal(1),
  machineClass: z.string(),
  createdAt: z.string(),
  command: z.string(),
  runs: z.array(z.object({ name: z.string(), startedAt: z.string().nullable(), blocks: z.number() })),
  falseAlarmRate: z.number().nullable(),
  falseAlarmInterval: z.tuple([z.number(), z.number()]).nullable(),
  attainableSize: z.number().nullable(),
  consistent: z.boolean().nullable(),
  comparisons: z.number(),
  untestable: z.number(),
  families: z.number(),
  alarmedFamilies: z.number(),
  alarmedFamiliesUpperBound: z.number().nullable(),
  series: z.array(noiseSeriesSchema),
  power: z.array(powerRowSchema),
  /** Absent with fewer than three runs. */
  betweenRuns: z.array(betweenRunNoiseSchema).optional(),
  /** Of runs that were recorded in every block (`calibrate --recording`); empty otherwise. */
  instrumentationOverhead: z.array(instrumentationAsymmetrySchema),
  warnings: z.array(z.string()),
});
export type CalibrationDocument = z.infer<typeof calibrationSchema>;
