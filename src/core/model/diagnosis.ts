import { z } from 'zod';
import { stretchSchema } from './schedule.ts';

/** What a difference did when something was changed for both arms, in paired blocks of their own. */
export const interventionResultSchema = z.object({
  /** Such as `half-cpu`. */
  id: z.string(),
  /** What was changed, such as `half the CPU for the client`. */
  title: z.string(),
  /** The factor as it was set, such as `cpu=50%`. */
  setting: z.string(),
  blocks: z.number().int().positive(),
  /** Candidate less baseline in these blocks, as it was and with the change, ms. */
  differenceMs: z.number(),
  alteredDifferenceMs: z.number(),
  /** The second less the first, with its 95 % interval, ms. */
  changeMs: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  /** What the change would be if the part were wholly of this cause, ms. */
  expectedMs: z.number(),
  /** Of a change that takes a cause away: the share of the difference that goes with it, and its 95 % interval. */
  goneShare: z.number().optional(),
  goneInterval: z.tuple([z.number(), z.number()]).optional(),
  /** Whether that is borne out: on the expected side beyond chance, and at least half as large. */
  confirms: z.boolean(),
});
export type InterventionResult = z.infer<typeof interventionResultSchema>;

/** One part of a difference: what it is, how much of it, and what shows it. */
export const diagnosisPartSchema = z.object({
  /** `connection`, `first byte`, `queueing`, `transfer`, `processing`, `lost packets`, or another in words. */
  cause: z.string(),
  /** The stage that it is, as trials name it, such as `receiverCpu`. */
  stage: z.string().optional(),
  /** Candidate less baseline. */
  ms: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  evidence: z.string(),
  /** Whether an experiment that changes the cause has shown it. */
  confirmed: z.boolean(),
  /** The experiments that were made. */
  interventions: z.array(interventionResultSchema).optional(),
});

/** What a load or a transfer spent on one stage, as means of the blocks; the stages of an arm add up to its time. */
export const stageTimeSchema = z.object({
  /** As trials name it, such as `firstByte`. */
  stage: z.string(),
  title: z.string(),
  baselineMs: z.number(),
  candidateMs: z.number(),
});
export type StageTime = z.infer<typeof stageTimeSchema>;

/** A mechanism that explains parts of a difference: it acts upon them, and what it is known by changed with them. */
export const namedCauseSchema = z.object({
  /** Such as `packet-loss`. */
  id: z.string(),
  /** In words, such as `packets are lost`. */
  title: z.string(),
  /** Stages that it acts upon. */
  stages: z.array(z.string()),
  /** By how much these together are longer; several causes may act upon the same stage. */
  ms: z.number(),
  /** What shows it: figures of both arms. */
  evidence: z.string(),
});
export type NamedCause = z.infer<typeof namedCauseSchema>;

/** What the client's networking process computed for, as a mean of the blocks, ms of CPU time. */
export const networkingCpuSchema = z.object({
  /** `symbol`: by the names of what ran; `task`: by what the browser's own trace calls its tasks. */
  by: z.enum(['symbol', 'task']),
  blocks: z.number().int().positive(),
  stages: z.array(
    z.object({
      /** Such as `decryption`; `notSeparable` is what ran without a name. */
      id: z.string(),
      title: z.string(),
      baselineMs: z.number(),
      candidateMs: z.number(),
      /** Of candidate less baseline, 95 %. */
      interval: z.tuple([z.number(), z.number()]),
    }),
  ),
});
export type NetworkingCpu = z.infer<typeof networkingCpuSchema>;

/** A frame of a flame graph of both arms: CPU time in it and in what it called, ms a trial. */
export interface FlameNode {
  readonly name: string;
  readonly baselineMs: number;
  readonly candidateMs: number;
  /** The largest first. */
  readonly children?: readonly FlameNode[] | undefined;
}

export const flameNodeSchema: z.ZodType<FlameNode> = z.object({
  name: z.string(),
  baselineMs: z.number(),
  candidateMs: z.number(),
  get children() {
    return z.array(flameNodeSchema).optional();
  },
});

/** What one end computed in both arms; the difference of the two times of a frame is what a differential graph colours. */
export const flameGraphSchema = z.object({
  side: z.enum(['client', 'server']),
  /** Trials whose samples are in it. */
  baselineTrials: z.number().int().positive(),
  candidateTrials: z.number().int().positive(),
  /** Frames below this share of the whole in both arms are left out: their time is in the frame below. */
  minShare: z.number(),
  root: flameNodeSchema,
});
export type FlameGraph = z.infer<typeof flameGraphSchema>;

/** The share of a transfer for which one thing held it back, as means of the blocks. */
export const limitShareSchema = z.object({
  /** `sender`, `network`, `receiver`, `flowControl` or `congestion`. */
  id: z.string(),
  title: z.string(),
  baselinePercent: z.number(),
  candidatePercent: z.number(),
  /** Of candidate less baseline, percentage points, 95 %. */
  interval: z.tuple([z.number(), z.number()]),
});
export type LimitShare = z.infer<typeof limitShareSchema>;

/** A chunk of a video that playback stood still for, as means of the trials in which it did. */
export const lateChunkSchema = z.object({
  arm: z.string(),
  index: z.number().int(),
  trials: z.number().int().positive(),
  stallMs: z.number(),
  bitrateKbps: z.number(),
  throughputMbps: z.number(),
  firstByteMs: z.number(),
  transferMs: z.number(),
  bufferAtRequestSeconds: z.number(),
  /** It waited longer for its first byte than it took; came slower than it plays; or fast enough, and was asked for too late. */
  why: z.enum(['first-byte', 'slower-than-playback', 'asked-for-late']),
});
export type LateChunk = z.infer<typeof lateChunkSchema>;

/** How the connections of one trial went, on the time axis of its page or session. */
export const timeLineSchema = z.object({
  arm: z.string(),
  blockIndex: z.number().int().nonnegative(),
  connections: z.array(
    z.object({
      transport: z.enum(['tcp', 'quic']),
      /** Whose account it is: a sender knows its window and its losses. */
      side: z.enum(['client', 'server']),
      name: z.string(),
      /** Ms after navigation start; null where it was not said. */
      samples: z.array(
        z.object({
          tMs: z.number(),
          rttMs: z.number().nullable(),
          congestionWindowBytes: z.number().nullable(),
          inFlightBytes: z.number().nullable(),
          lostPackets: z.number(),
        }),
      ),
    }),
  ),
  /** What a schedule set towards the client, ms after navigation start; absent: its link follows none. */
  linkSchedule: z.array(stretchSchema).optional(),
  /** UDP sockets of the client. */
  sockets: z.array(
    z.object({
      name: z.string(),
      samples: z.array(z.object({ tMs: z.number(), waitingBytes: z.number(), droppedDatagrams: z.number() })),
    }),
  ),
});
export type TimeLine = z.infer<typeof timeLineSchema>;

/** The difference of one comparison in its parts. */
export const diagnosisSchema = z.object({
  workload: z.string(),
  metric: z.string(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
  baselineArm: z.string(),
  candidateArm: z.string(),
  /** Of recorded trials: the parts add up to it with what is unexplained. */
  differenceMs: z.number(),
  /** Of timed trials, from which it is judged that there is a difference; parts are given where both have one sign. */
  timed: z.object({
    differenceMs: z.number(),
    interval: z.tuple([z.number(), z.number()]),
    blocks: z.number().int().positive(),
  }),
  parts: z.array(diagnosisPartSchema),
  unexplainedMs: z.number(),
  /** Every stage in the order of a load, attributed or not. */
  stages: z.array(stageTimeSchema),
  /** What the parts come from, the most telling first; absent where nothing was named. */
  causes: z.array(namedCauseSchema).optional(),
  /** Of transfers that the probe `activity` recorded: together they are the transfer. */
  limits: z.array(limitShareSchema).optional(),
  /** Of videos: what playback stood still for. */
  lateChunks: z.array(lateChunkSchema).optional(),
  /** Where trials recorded it (probes `profile` and `trace`). */
  networkingCpu: z.array(networkingCpuSchema).optional(),
  /** Where trials recorded it (probe `profile`). */
  flameGraphs: z.array(flameGraphSchema).optional(),
  /** Of the first block in which both arms recorded them (probes `transport`, `qlog` and `sockets`). */
  timeLines: z.array(timeLineSchema).optional(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/** Where a difference was found: what was loaded, by what, and between which arms. */
type ArmCondition = Pick<
  Diagnosis,
  'workload' | 'client' | 'network' | 'server' | 'baselineArm' | 'candidateArm'
>;

/** Whether a diagnosis is that of a place that was compared. */
export function isDiagnosisOf(
  { workload, client, network, server, baselineArm, candidateArm }: ArmCondition,
  place: ArmCondition,
): boolean {
  return (
    workload === place.workload &&
    client === place.client &&
    network === place.network &&
    server === place.server &&
    baselineArm === place.baselineArm &&
    candidateArm === place.candidateArm
  );
}
