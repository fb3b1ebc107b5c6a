import { z } from 'zod';
import { networkDescriptionSchema } from './environment.ts';
import { linkFlowSchema } from './raw-trial.ts';

/** One run of the command. */
export const commandRunSchema = z.object({
  /** `none`: without a path. */
  network: z.string(),
  /** From 1. */
  repetition: z.number(),
  startedAt: z.string(),
  durationMs: z.number(),
  /** 128 and the number of the signal where one ended it, as shells have it. */
  exitCode: z.number(),
  signal: z.string().nullable(),
  /** Processes that it left in the background, which were ended. */
  leftBehind: z.number(),
  /** How often the command changed the network that it was behind; absent in reports from before it could. */
  changes: z.number().optional(),
  /** What the link and its ends counted meanwhile, by name; bytes of IP packets. */
  counters: z.record(z.string(), z.number()),
  /** Null where the link does not count flows. */
  flows: z.array(linkFlowSchema).nullable(),
});
export type CommandRun = z.infer<typeof commandRunSchema>;

/** What `h2h3 exec --json` writes. */
export const execReportSchema = z.object({
  schemaVersion: z.literal(1),
  command: z.array(z.string()),
  /** Ports of this machine's loopback that the command reached across the path. */
  localPorts: z.array(z.number()),
  /** Command line of the server at the far end; null without one. */
  far: z.string().nullable(),
  /** Each path with its check; empty checks: it was not checked. */
  networks: z.array(networkDescriptionSchema),
  runs: z.array(commandRunSchema),
});
export type ExecReport = z.infer<typeof execReportSchema>;
