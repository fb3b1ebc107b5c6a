import { z } from 'zod';
import type { LiveAccess } from './live-access.ts';
import { appPageSchema, type BuildName, type RunningBuild } from './app-under-test.ts';
import { livePageSchema } from './live-address.ts';
import { deviceSchema } from './device.ts';

export const workloadKindSchema = z.enum(['page', 'journey', 'video', 'download', 'upload', 'messages']);
export type WorkloadKind = z.infer<typeof workloadKindSchema>;

/** One host name that the server answers for, and the folder it serves; `name.br` and `name.gz` next to a file are served precompressed. */
export const siteRootSchema = z.object({
  host: z.string(),
  directory: z.string(),
  /** Of a run's roots: the first workload that has it. Hosts of one may share a certificate. */
  workload: z.string().optional(),
  /** Names in the folder of what is asked for, where it holds more. Absent: all of it is. */
  needs: z.array(z.string()).optional(),
  /** Whether the server echoes messages for the host, at `messagesPath`. Absent: it does not. */
  messages: z.boolean().optional(),
  /**
   * A program that answers for the host instead of the folder's files: it is run where the server runs, with two more
   * arguments: the path of the Unix socket on which it speaks HTTP/1.1, and the file to which it appends a line
   * (`ledgerLineSchema`) for each request. Roots with the same command share one process. An `app` hands on to an app of
   * the machine: it is run outside of the server's namespace, web sockets go on to it, and its lines are `appLineSchema`.
   * A `relay` is one of MoQ: it listens for QUIC on a port of its own at the server's address, which its environment
   * has as `H2H3_SERVER_ADDRESS`, and its lines are `relayLineSchema`. A `sink` takes what is uploaded, and its lines are
   * `sinkLineSchema`.
   */
  origin: z
    .object({
      command: z.array(z.string()).min(1),
      /** Default: archive. */
      kind: z.enum(['archive', 'app', 'relay', 'sink']).optional(),
    })
    .optional(),
});
export type SiteRoot = z.infer<typeof siteRootSchema>;

export const workloadFactsSchema = z.object({
  /** Objects of one load as far as known beforehand. */
  objectCount: z.number().optional(),
  hostCount: z.number().optional(),
  /** Encoded body bytes of one load as far as known beforehand. */
  wireBytes: z.number().optional(),
  /** Objects by type (html, css, js, image, font, json, other) as far as known beforehand. */
  types: z.record(z.string(), z.number()).optional(),
  /** Work in the page that stands for script execution (ms in one load on a whole CPU); 0 or absent: none. */
  syntheticDelayMs: z.number().optional(),
  /** Where the content comes from: package and version, generator, or address; and its licence. */
  source: z.string(),
  licence: z.string().optional(),
});
export type WorkloadFacts = z.infer<typeof workloadFactsSchema>;

/** `cold`: a fresh profile. `repeat`: the page was visited once before in the same profile, by a browser that has ended since. */
export const viewSchema = z.enum(['cold', 'repeat']);
export type View = z.infer<typeof viewSchema>;

/** How a recorded site is replayed, and what may be missing before a trial is invalid. */
export const replaySchema = z.object({
  /** Ports that the recorded addresses name; every one leads to the server's. */
  ports: z.array(z.number()),
  /** Unanswered requests for HTML, CSS, JavaScript, fonts and images that a trial may have. */
  essentialMisses: z.number(),
  /** Largest share of all requests that may be unanswered or answered by a guess, 0 … 1. */
  missShare: z.number(),
  /** Largest share of all requests whose answer may be other than exact in any way, 0 … 1. */
  inexactShare: z.number().default(0.1),
  /** Evaluated before every other script of a document, to settle time and chance; null: both are as they are. */
  firstScript: z.string().nullable(),
  /** Addresses that failed in the original and may fail in the replay. */
  expectedFailures: z.array(z.string()).default([]),
  /** Hosts (with their ports, but for 443) of which no answer came in the original. */
  deadHosts: z.array(z.string()).default([]),
});
export type Replay = z.infer<typeof replaySchema>;

/** A user's script, and how long a step of it may take. */
export const journeyOptionsSchema = z.object({
  /** Path of the module. */
  scriptFile: z.string(),
  /** Longest time for one step, ms. */
  stepLimitMs: z.number(),
});
export type JourneyOptions = z.infer<typeof journeyOptionsSchema>;

/** A workload ready to be served and loaded; plain JSON, because it is handed to the trial worker. */
export const preparedWorkloadSchema = z.object({
  id: z.string(),
  kind: workloadKindSchema,
  title: z.string(),
  /** What the server must serve; empty for a live address. */
  roots: z.array(siteRootSchema),
  /** Where the browser goes: a host of `roots` with path and query, or a live address. */
  entry: z.union([z.object({ host: z.string(), path: z.string() }), z.object({ url: z.string() })]),
  /**
   * `load`: the measurement ends with the load event and `quietMs` without network activity.
   * `session`: the page runs by itself and the promise `globalThis.h2h3Session` resolves with its raw
   * results as JSON (`sessionSchema`).
   * `script`: the user's script drives the page, step by step.
   */
  driver: z.enum(['load', 'session', 'script']),
  quietMs: z.number(),
  /** Longest time the trial may take after navigation start; afterwards it is `failed`, reason `deadline`. */
  deadlineMs: z.number(),
  /** What any client must ask for to do the same work; absent where only a page can do it (players, dependencies). */
  requests: z
    .array(
      z.object({
        host: z.string(),
        path: z.string(),
        /** Of the answer's body. */
        bytes: z.number(),
        /** What is sent with it: the file that holds it, and its type; empty: none is named. Absent: nothing is sent. */
        body: z.object({ file: z.string(), contentType: z.string() }).optional(),
      }),
    )
    .optional(),
  /** Of uploads only: what must come to the sink. */
  upload: z.object({ host: z.string(), path: z.string(), bytes: z.number(), sha256: z.string() }).optional(),
  /** Hosts whose objects must also be proven from the server's access log. */
  loggedHosts: z.array(z.string()),
  /** Chromium's and Firefox's Media Source quota must hold this many megabytes (10^6 bytes); 0 leaves it. */
  mediaBufferMegabytes: z.number(),
  /** Of recorded sites only. */
  replay: replaySchema.optional(),
  /** Of live addresses only. */
  live: livePageSchema.optional(),
  /** Of apps of the user's only, which servers of ours stand before. */
  app: appPageSchema.optional(),
  /** What the page is shown on. Absent: a common desktop size. */
  device: deviceSchema.optional(),
  /** Of pages only. Absent: `cold`. */
  view: viewSchema.optional(),
  /** Of journeys only. */
  journey: journeyOptionsSchema.optional(),
  /** Of videos only: the player with its exact version, by the name that an arm gives it. */
  players: z.record(z.string(), z.string()).optional(),
  /** Of videos only, where it was worked out: VMAF of each segment, by representation. */
  vmaf: z
    .object({ chunkSeconds: z.number(), segments: z.record(z.string(), z.array(z.number())) })
    .optional(),
  /** Of own videos only, which keep their frame rate and shape: frames a second, and `WIDTHxHEIGHT` by representation. */
  pictures: z
    .object({ framesPerSecond: z.number(), resolutions: z.record(z.string(), z.string()) })
    .optional(),
  facts: workloadFactsSchema,
});
export type PreparedWorkload = z.infer<typeof preparedWorkloadSchema>;

/** Whether it is a page of the user's own, which cookies, headers and log-ins open. */
export const isUsersPage = ({ live, app }: Pick<PreparedWorkload, 'live' | 'app'>): boolean =>
  live !== undefined || app !== undefined;

interface LeavesOut {
  readonly block: readonly string[];
}

/** Parts of addresses that the plan leaves out. */
export const leftOutOf = ({
  live,
  app,
}: {
  readonly live?: LeavesOut | undefined;
  readonly app?: LeavesOut | undefined;
}): readonly string[] => live?.block ?? app?.block ?? [];

/** What a plan keeps of a workload that does not ship, so that a run can be resumed. */
export const customSiteSchema = z.discriminatedUnion('kind', [
  /** A replica of a shape out of the user's own file; the shape in the compact form of one line. */
  z.object({ kind: z.literal('replica'), id: z.string(), shape: z.string() }),
  /** A recorded site; `indexHash` is the SHA-256 of its index, which names every body by its hash. */
  z.object({
    kind: z.literal('archive'),
    id: z.string(),
    directory: z.string(),
    indexHash: z.string(),
    options: z.object({
      /** Wait as long as the recorded servers did before the first byte. Default no. */
      thinkTime: z.boolean().optional(),
      /** Make time and chance the same for the page's scripts in each load. Default no. */
      deterministic: z.boolean().optional(),
      /** Largest share of requests whose answer may be other than exact before a trial is invalid, 0 … 1. Default 0.1. */
      inexactShare: z.number().min(0).max(1).optional(),
      /** Largest share of requests that may be unanswered before a trial is invalid, 0 … 1. Default 0.02. */
      missShare: z.number().min(0).max(1).optional(),
      /** Unanswered requests for HTML, CSS, JavaScript, fonts and images that a trial may have. Default 0. */
      essentialMisses: z.number().int().min(0).optional(),
    }),
  }),
]);
export type CustomSite = z.infer<typeof customSiteSchema>;
export type ReplayOptions = Extract<CustomSite, { kind: 'archive' }>['options'];

/** Progress of long work: `fraction` from 0 to 1 when known, `detail` names the present step. */
export type ProgressReporter = (step: { title: string; fraction?: number; detail?: string }) => void;

/** A player of video that was fetched. */
export interface NamedPlayer {
  /** As an arm writes it, such as `hlsjs`. */
  readonly name: string;
  /** The same with its exact version, such as `hlsjs@1.7.4`. */
  readonly exact: string;
  /** Its built script. */
  readonly file: string;
}

export interface PrepareContext {
  /** Folder for everything generated; content-addressed below it, safe to delete. */
  readonly cacheDir: string;
  /** Folder of the checkout (holds node_modules). */
  readonly projectDir: string;
  /** Port on which the server will listen: pages name their other hosts with it, so what is generated is kept per port. */
  readonly port: number;
  /** What opens the live addresses of the run. */
  readonly access?: LiveAccess;
  /** The builds of an app that arms of the run name, as they run. */
  readonly builds?: readonly RunningBuild[];
  /** Which of them is prepared for. */
  readonly build?: BuildName;
  /** The players that arms of the run name. Absent: the packaged one plays. */
  readonly players?: readonly NamedPlayer[];
  /** Whether an arm of the run has chunks of video held back: then the same program answers for the media of every arm. Default: no. */
  readonly holdsChunks?: boolean;
  readonly ffmpegPath: () => Promise<string>;
  /** An ffmpeg that works out VMAF; undefined where none can be had. Absent: nothing is worked out. */
  readonly vmafPath?: () => Promise<string | undefined>;
  /** A Python that has the wheels of MoQ. Absent: no relay is made. @throws H2h3Error `unsupported` */
  readonly moqPython?: () => Promise<string>;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
}

export interface Workload {
  readonly id: string;
  readonly kind: WorkloadKind;
  readonly title: string;
  /** Known without preparing anything; `describe` prints it. */
  readonly facts: WorkloadFacts;
  /** Estimated duration of one trial on an unshaped path, for plans (ms). */
  readonly expectedTrialMs: number;
  /**
   * Body bytes that a trial brings, or takes up, at the least, and the part of `expectedTrialMs` in which they come on an unshaped path
   * or are played, ms: a path that needs longer makes the trial longer by the rest. Absent: `facts.wireBytes` within no
   * time.
   */
  readonly transfer?: {
    readonly bytes: number;
    readonly withinMs: number;
    /** What is loaded before or next to what is measured, at most. Absent: nothing is. */
    readonly besideBytes?: number;
    /** Absent: they come down. */
    readonly goes?: 'up';
  };
  /** What a trial lets one see of rare events: seconds of play, messages or uploads. Absent: nothing that could be counted on. */
  readonly exposure?: {
    readonly playedSeconds?: number;
    readonly messagesSent?: number;
    readonly uploadsMade?: number;
  };
  /** Metric that decides where a plan names none. Absent: that of its kind. */
  readonly decidedBy?: string;
  /** Factors of workloads and players that it applies, by name. Absent: none. */
  readonly applies?: readonly string[];
  /** Of videos only: whether it is made while it is watched. Absent: it is not. */
  readonly isBroadcast?: boolean;
  /** Of messages only: the size of each, and the time from one to the next. */
  readonly messages?: { readonly messageBytes: number; readonly gapMs: number };
  /** Set where the workload does not ship. */
  readonly custom?: CustomSite;
  /** Of pages only. Absent: `cold`. */
  readonly view?: View;
  /** Makes everything the server must serve, or reuses what is cached. @throws H2h3Error */
  prepare(context: PrepareContext): Promise<PreparedWorkload>;
}
