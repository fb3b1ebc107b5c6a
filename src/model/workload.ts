import { z } from 'zod';

export const workloadKindSchema = z.enum(['page', 'video', 'download']);
export type WorkloadKind = z.infer<typeof workloadKindSchema>;

/** One host name that the server answers for, and the folder it serves; `name.br` and `name.gz` beside a file are served precompressed. */
export const siteRootSchema = z.object({ host: z.string(), directory: z.string() });
export type SiteRoot = z.infer<typeof siteRootSchema>;

export const workloadFactsSchema = z.object({
  /** Objects of one load as far as known beforehand. */
  objectCount: z.number().optional(),
  hostCount: z.number().optional(),
  /** Encoded body bytes of one load as far as known beforehand. */
  wireBytes: z.number().optional(),
  /** Objects by type (html, css, js, image, font, json, other) as far as known beforehand. */
  types: z.record(z.string(), z.number()).optional(),
  /** Blocking work in the page that stands for script execution (ms in one load); 0 or absent: none. */
  syntheticDelayMs: z.number().optional(),
  /** Where the content comes from: package and version, generator, or address; and its licence. */
  source: z.string(),
  licence: z.string().optional(),
});
export type WorkloadFacts = z.infer<typeof workloadFactsSchema>;

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
   * results as JSON (`videoSessionSchema` or `downloadSessionSchema`).
   */
  driver: z.enum(['load', 'session']),
  quietMs: z.number(),
  /** Longest time the trial may take after navigation start; afterwards it is `failed`, reason `deadline`. */
  deadlineMs: z.number(),
  /** Hosts whose objects must also be proven from the server's access log. */
  loggedHosts: z.array(z.string()),
  /** Chromium's and Firefox's Media Source quota must hold this many megabytes (10^6 bytes); 0 leaves it. */
  mediaBufferMegabytes: z.number(),
  facts: workloadFactsSchema,
});
export type PreparedWorkload = z.infer<typeof preparedWorkloadSchema>;

/** Progress of long work: `fraction` from 0 to 1 when known, `detail` names the present step. */
export type ProgressReporter = (step: { title: string; fraction?: number; detail?: string }) => void;

export interface PrepareContext {
  /** Folder for everything generated; content-addressed below it, safe to delete. */
  readonly cacheDir: string;
  /** Folder of the checkout (holds node_modules). */
  readonly projectDir: string;
  /** Port on which the server will listen: pages name their other hosts with it, so what is generated is kept per port. */
  readonly port: number;
  readonly ffmpegPath: () => Promise<string>;
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
  /** Makes everything the server must serve, or reuses what is cached. @throws H2h3Error */
  prepare(context: PrepareContext): Promise<PreparedWorkload>;
}
