import { z } from 'zod';
import { networkSpecSchema } from './network-spec.ts';
import { armProtocolSchema } from './protocol.ts';
import { publishedFigureSchema } from './published.ts';
import { customSiteSchema, viewSchema, workloadFactsSchema, workloadKindSchema } from './workload.ts';

/** One side of a comparison. `client` is set when arms differ by browser (`chromium@148:h3`). */
export const armSchema = z.object({
  /** `h2`, `h3`, `h2#2` for the second of a repeated arm, `chromium@148:h3`. */
  label: z.string(),
  protocol: armProtocolSchema,
  client: z.string().optional(),
});
export type Arm = z.infer<typeof armSchema>;

/** `client` names the condition's client, or all arms' clients joined by `|` where the arms name their own. */
export const conditionSchema = z.object({
  conditionId: z.string(),
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
});
export type Condition = z.infer<typeof conditionSchema>;

export const plannedTrialSchema = z.object({
  trialId: z.string(),
  conditionId: z.string(),
  blockIndex: z.number().int().nonnegative(),
  arm: z.string(),
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
  /** Seeds everything random of this block (trace offsets); the same for all arms of a block. */
  blockSeed: z.number().int().nonnegative(),
});
export type PlannedTrial = z.infer<typeof plannedTrialSchema>;

export const planWorkloadSchema = z.object({
  id: z.string(),
  kind: workloadKindSchema,
  title: z.string(),
  /** Of pages: what is known before anything is loaded. */
  facts: workloadFactsSchema
    .pick({ objectCount: true, wireBytes: true, hostCount: true, types: true })
    .optional(),
  /** Of pages only. Absent: `cold`. */
  view: viewSchema.optional(),
});

/** A crossing of network and workload figures; a condition is found by its network and its workload. */
export const gridSchema = z.object({
  networks: z.array(
    z.object({ network: z.string(), rateMbps: z.number(), rttMs: z.number(), lossPercent: z.number() }),
  ),
  workloads: z.array(z.object({ workload: z.string(), sizeBytes: z.number(), count: z.number() })),
});
export type Grid = z.infer<typeof gridSchema>;

/** An arm that meets a fault injected on purpose, and the network that stands in for each condition's own. */
export const armFaultSchema = z.object({
  arm: z.string(),
  fault: z.string(),
  networks: z.record(z.string(), z.string()),
});
export type ArmFault = z.infer<typeof armFaultSchema>;

/** `plan.json`: everything that is to run, in the order in which it is to run. */
export const planSchema = z.object({
  schemaVersion: z.literal(1),
  name: z.string(),
  seed: z.number().int().nonnegative(),
  /** The exact command that makes this plan again. */
  command: z.string(),
  arms: z.array(armSchema).min(1),
  /** Pairs of arms to compare, by label, baseline first; all of them primary. Absent: by the arms. */
  compare: z.array(z.tuple([z.string(), z.string()])).optional(),
  repetitions: z.number().int().positive(),
  /** Blocks after which a sequential run is judged, ascending; the last is `repetitions`. Absent: judged once, at the end. */
  looks: z.array(z.number().int().positive()).optional(),
  exploratory: z.boolean(),
  /** The primary metric per workload kind; the others are secondary. */
  primary: z.partialRecord(workloadKindSchema, z.string()),
  /** Whether the pooled comparison over workloads (not each single one) is the primary of this kind. */
  pooled: z.partialRecord(workloadKindSchema, z.boolean()),
  /** Overrides of practical margins, by metric. */
  margins: z.record(z.string(), z.number()),
  probes: z.array(z.string()),
  /** Options that make a workload of a live address, in order of `--url`. */
  urls: z.array(z.string()),
  /** Sites of the plan that do not ship. */
  customSites: z.array(customSiteSchema).optional(),
  /** Networks that the plan itself defines. */
  customNetworks: z.array(networkSpecSchema).optional(),
  /** Arms over TCP and QUIC may run unlike congestion control on an impaired network. */
  allowCongestionMismatch: z.boolean().optional(),
  /** Faults injected on purpose, to see whether they are found. */
  faults: z.array(armFaultSchema).optional(),
  /** Where each condition of a grid stands in it. */
  grid: gridSchema.optional(),
  /** What studies published of what this plan runs. */
  published: z.array(publishedFigureSchema).optional(),
  workloads: z.array(planWorkloadSchema),
  conditions: z.array(conditionSchema),
  trials: z.array(plannedTrialSchema),
});
export type Plan = z.infer<typeof planSchema>;
