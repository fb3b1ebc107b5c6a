import { z } from 'zod';
import { firstFlightsSchema } from './first-flights.ts';
import { nameTableSchema } from './name-table.ts';
import { scaleSchema } from './scale.ts';
import { instrumentationSchema } from './instrumentation.ts';
import { workloadKindSchema } from './workload.ts';

/** The values of one arm in one condition, block by block. */
export const studyCellSchema = z.object({
  workload: z.string(),
  kind: workloadKindSchema,
  network: z.string(),
  /** Of the condition; `by-arm` where arms set it. */
  client: z.string(),
  server: z.string(),
  arm: z.string(),
  instrumentation: instrumentationSchema,
  /** Blocks in which the trial ran. */
  blocks: z.array(z.number()),
  /** Those of them whose trial came to nothing but a delayed path. Absent: none, or kept before it was. */
  delayed: z.array(z.number()).optional(),
  /** Those whose session never stalled, and kept its track once it had settled. Absent: none, or kept before it was. */
  unrisked: z.array(z.number()).optional(),
  /** By metric: a value for each of these blocks; null where the trial left none. */
  metrics: z.record(z.string(), z.array(z.number().nullable())),
});
export type StudyCell = z.infer<typeof studyCellSchema>;

/** What a path carried towards the client in its check, before any HTTP; null where that was not measured. */
export const rawRateSchema = z.object({
  network: z.string(),
  udpMbps: z.number().nullable(),
  tcpMbps: z.number().nullable(),
});
export type RawRate = z.infer<typeof rawRateSchema>;

/** Trials of an arm that ran, and how many of them came to nothing: invalid, or failed, as a migration can. */
export const lostTrialsSchema = z.object({
  arm: z.string(),
  lost: z.number(),
  of: z.number(),
  /** Why they were lost, without figures. Absent: none was, or kept before it was. */
  why: z.string().optional(),
  /** That were run again because the machine had disturbed them. Absent: none, or kept before they were. */
  again: z.number().optional(),
});
export type LostTrials = z.infer<typeof lostTrialsSchema>;

/** How a run was made, as far as it recorded that: what a repetition needs, and what bears on senders. */
const setUpSchema = z.object({
  seed: z.number(),
  kernel: z.string(),
  memoryBytes: z.number(),
  /** Null where the system has none. */
  governor: z.string().nullable(),
  /** CPUs of client and server, as lists; null: any. */
  browserCpus: z.string().nullable(),
  serverCpus: z.string().nullable(),
  node: z.string(),
  /** Packets of the first flight of each arm's server: fewest and most over the trials; null where it is not known. */
  firstFlights: z.array(
    firstFlightsSchema.pick({ client: true, network: true, server: true, arm: true, packets: true }),
  ),
});

/** What is kept of a run of a study: enough to compare, to draw, and to say how it was made. */
export const studyRunSchema = z.object({
  schemaVersion: z.literal(1),
  preset: z.string(),
  scale: scaleSchema.nullable(),
  /** Absent in runs that were kept before it was. */
  rawRates: z.array(rawRateSchema).optional(),
  /**
   * Digests of the claims that its plan had when it ran (`claimDigest`). Without them nothing shows that they were not made to fit, so
   * that such a run does not count.
   */
  claims: z.array(z.string()).optional(),
  /** By which rule claims were judged then (`judgingRule`); absent: the first. */
  rule: z.number().int().optional(),
  /** Absent where no environment was recorded, and in runs that were kept before it was. */
  setUp: setUpSchema.optional(),
  /** Git revision of the h2h3 that ran it; null where it is not known. */
  revision: z.string().nullable(),
  startedAt: z.string().nullable(),
  trialsOk: z.number(),
  /** Of its whole plan. */
  trialsPlanned: z.number(),
  /** That have a record; fewer than planned: the run is to be resumed. */
  trialsDone: z.number(),
  /** Arms that lost trials, or had some run again. Absent in runs that were kept before it was. */
  lostByArm: z.array(lostTrialsSchema).optional(),
  /** It was told to run though it could not decide. */
  exploratory: z.boolean(),
  /** What else the machine was busy with, as its run found it. */
  disturbances: z.array(z.string()),
  /** Timed trials gave times; false: browsers were recorded while they were timed. */
  timed: z.boolean(),
  blocks: z.number(),
  /** From the first trial's start to the last one's end, ms. */
  spanMs: z.number().nullable(),
  /** Names and versions. */
  clients: z.array(z.string()),
  /** For people. */
  machine: z.string(),
  /** The machine, clients, servers and paths, each once; absent in runs that were kept before it was. */
  machineParts: z.array(z.string()).optional(),
  names: nameTableSchema,
  /** Labels in the plan's order. */
  arms: z.array(z.string()),
  cells: z.array(studyCellSchema),
  /** By how much more recording slows one arm than the other, at the most: of the logarithm, for each pair of arms. */
  instrumentationOverhead: z.array(
    z.object({
      workload: z.string(),
      network: z.string(),
      client: z.string(),
      server: z.string(),
      baseline: z.string(),
      candidate: z.string(),
      bound: z.number(),
    }),
  ),
  /** What the diagnosis of the run says of each pair of arms; absent where it was not diagnosed, or says nothing. */
  diagnosed: z
    .array(
      z.object({
        baselineArm: z.string(),
        candidateArm: z.string(),
        /** In words; empty: none was named. */
        causes: z.array(z.string()),
        /** In which part of a load the difference lies; absent in older runs. */
        parts: z
          .array(z.object({ title: z.string(), ms: z.number(), interval: z.tuple([z.number(), z.number()]) }))
          .optional(),
      }),
    )
    .optional(),
  /** How often the server's congestion control went from one state to another, by arm, over all recorded trials: `slow_start>recovery`. */
  transitions: z.record(z.string(), z.record(z.string(), z.number())).optional(),
});
export type StudyRun = z.infer<typeof studyRunSchema>;
