import { z } from 'zod';
import { appOptionsSchema } from './app-under-test.ts';
import { audienceSchema } from './audience.ts';
import { conditionFields } from './condition.ts';
import { factorsSchema } from './factors-schema.ts';
import { liveOptionsSchema } from './live-address.ts';
import { networkSpecSchema } from './network-spec.ts';
import { armProtocolSchema } from './protocol.ts';
import { publishedFigureSchema } from './published.ts';
import { scaleSchema } from './scale.ts';
import { planQueueSchema, shardSchema } from './shard.ts';
import { trialIdSchema } from './trial-id.ts';
import { instrumentedBlocksSchema, maxBlocks, instrumentationSchema } from './instrumentation.ts';
import { customSiteSchema, viewSchema, workloadFactsSchema, workloadKindSchema } from './workload.ts';

/** More of anything is no plan of ours: what is made of a plan would not fit into the memory. */
const maxListed = 100_000;
const maxArms = 1000;

const list = <Item extends z.ZodType>(item: Item, most = maxListed): z.ZodArray<Item> =>
  z.array(item).max(most, `has more than ${most} entries`);
const blocks = (): z.ZodInt => z.int().max(maxBlocks, `is more than ${maxBlocks} blocks`);

/** One side of a comparison: an assignment of factors. What it leaves open has the condition's value. */
export const armSchema = z.object({
  /** For people: `h2`, `h2#2` for the second of a repeated arm, `chromium@148:h3+server=nginx`. */
  label: z.string(),
  /** Names the arm in trial ids: `[a-z0-9.-]`. */
  slug: z.string(),
  factors: factorsSchema.extend({ protocol: armProtocolSchema }),
});
export type Arm = z.infer<typeof armSchema>;

/** `client`, `network` and `server` are `by-arm` where arms set them. */
export const conditionSchema = z.object({
  conditionId: z.string(),
  ...conditionFields,
  /** What it sets besides, for arms that leave it open: of an audience, such as a CPU share. */
  factors: factorsSchema.optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

export const plannedTrialSchema = z.object({
  trialId: trialIdSchema,
  conditionId: z.string(),
  blockIndex: z.number().int().nonnegative(),
  arm: z.string(),
  ...conditionFields,
  /** All that are set for this trial, by its arm or its condition; `client`, `network` and `server` are copies. */
  factors: factorsSchema,
  /** Seeds everything random of this block (trace offsets); the same for all arms of a block. */
  blockSeed: z.number().int().nonnegative(),
  instrumentation: instrumentationSchema,
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
  /** Factors of workloads and players that it applies. Absent: none. */
  applies: list(z.string()).optional(),
});

/** A crossing of network and workload figures; a condition is found by its network and its workload. */
export const gridSchema = z.object({
  networks: list(
    z.object({ network: z.string(), rateMbps: z.number(), rttMs: z.number(), lossPercent: z.number() }),
  ),
  workloads: list(z.object({ workload: z.string(), sizeBytes: z.number(), count: z.number() })),
});
export type Grid = z.infer<typeof gridSchema>;

/** The network that trials with a fault go over instead of their own. */
export const standInSchema = z.object({ network: z.string(), fault: z.string(), standIn: z.string() });
export type StandIn = z.infer<typeof standInSchema>;

/** Where parts of a run are that are not on this machine: `USER@HOST`, or an alias of `~/.ssh/config`. */
const hostName = z.string().min(1).max(300);
export const hostsSchema = z
  .strictObject({
    /** Where servers start. */
    server: hostName.optional(),
    /** Where proxies start. Default: where the servers behind them do. */
    proxy: hostName.optional(),
    /** Where clients start. */
    client: hostName.optional(),
  })
  .refine((hosts) => Object.values(hosts).some((host) => host !== undefined), 'names no machine')
  .refine(
    ({ proxy, server }) => proxy === undefined || server !== undefined,
    'names a machine for proxies and none for servers: name that, too, as server',
  );

/** `plan.json`: everything that is to run, in the order in which it is to run. */
export const planSchema = z.object({
  schemaVersion: z.literal(1),
  name: z.string(),
  /** Of a study: how much of it the plan is. */
  scale: scaleSchema.optional(),
  seed: z.number().int().nonnegative(),
  /** The exact command that makes this plan again. */
  command: z.string(),
  arms: list(armSchema, maxArms).min(1),
  /** Pairs of arms to compare, by label, baseline first; all of them primary. Absent: by the arms. */
  compare: list(z.tuple([z.string(), z.string()])).optional(),
  /** Timed blocks: what is judged is counted in these. */
  repetitions: blocks().positive(),
  /** Blocks that are recorded, on top of these, with indices behind theirs; `all`: each block has trials of both kinds. */
  recordedBlocks: instrumentedBlocksSchema,
  /** Blocks after which a sequential run is judged, ascending; the last is `repetitions`. Absent: judged once, at the end. */
  interims: list(blocks().positive()).optional(),
  /** Blocks after which a sequential run ended for want of time and was resumed later. */
  ends: list(blocks().nonnegative()).optional(),
  exploratory: z.boolean(),
  /** The primary metric per workload kind; the others are secondary. */
  primary: z.partialRecord(workloadKindSchema, z.string()),
  /** Whether the pooled comparison over workloads (not each single one) is the primary of this kind. */
  pooled: z.partialRecord(workloadKindSchema, z.boolean()),
  /** Overrides of practical margins, by metric. */
  margins: z.record(z.string(), z.number()),
  probes: list(z.string()),
  /** Absolute limits of metrics that every arm must keep, as written: `lcp<2500ms`. */
  budgets: list(z.string()).optional(),
  /** Whether a gate or budget that stays undecided makes the run fail, also when it is resumed later. */
  strict: z.boolean().optional(),
  /** Whether the run is a gate, which decides its exit code, also when it is resumed later. */
  gate: z.boolean().optional(),
  /** Options that make a workload of a live address, in order of `--url`. */
  urls: list(z.string()),
  /** An app of the user's, before which servers of ours stand. */
  app: appOptionsSchema.optional(),
  /** What holds for all live addresses, and for the app. */
  live: liveOptionsSchema.optional(),
  /** The user's script that drives the pages, and the SHA-256 of it. */
  script: z.object({ file: z.string(), sha256: z.string() }).optional(),
  /** Sites of the plan that do not ship. */
  customSites: list(customSiteSchema).optional(),
  /** Other machines of the run, as ssh is told of them. */
  hosts: hostsSchema.optional(),
  /** Networks that the plan itself defines. */
  customNetworks: list(networkSpecSchema).optional(),
  /** Arms over TCP and QUIC may run unlike congestion control on an impaired network. */
  allowCongestionMismatch: z.boolean().optional(),
  /** An exploratory run that begins at once: paths are checked quickly, and nothing is loaded to be discarded. */
  quickStart: z.literal(true).optional(),
  /** Networks with a fault injected on purpose, for the arms that set the factor `fault`. */
  standIns: list(standInSchema).optional(),
  /** Whose users the conditions stand for, and how many each. */
  audience: audienceSchema.optional(),
  /** Where each condition of a grid stands in it. */
  grid: gridSchema.optional(),
  /** What studies published of what this plan runs. */
  published: list(publishedFigureSchema).optional(),
  /** Of a run that has only a part of the plan: which. `conditions` and `trials` are still the whole plan's. */
  shard: shardSchema.optional(),
  /** Of a run whose leases workers take from a queue. */
  queue: planQueueSchema.optional(),
  workloads: list(planWorkloadSchema),
  conditions: list(conditionSchema),
  trials: list(plannedTrialSchema),
});
export type Plan = z.infer<typeof planSchema>;
