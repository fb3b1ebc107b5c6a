import type { ArmProtocol } from '../../../src/model/protocol.ts';
import type { Har } from '../../../src/model/har.ts';
import type { LivePage } from '../../../src/model/live-address.ts';
import type { Replay } from '../../../src/model/workload.ts';
import type { PageTimings } from '../../../src/model/raw-trial.ts';
import type { ClientIdentity } from '../client.ts';

export interface BrowserLaunchOptions {
  readonly client: ClientIdentity;
  readonly protocol: ArmProtocol;
  /** An empty folder, or the profile of an earlier start; the caller removes it. */
  readonly profileDir: string;
  readonly spkiHash: string;
  /** Every name the workload may ask for; each resolves to `server`. Of a live address those that HTTP/3 is forced on, with their ports. */
  readonly hosts: readonly string[];
  /** Null for live addresses: names resolve as the machine resolves them. */
  readonly server: { readonly address: string; readonly port: number } | null;
  /** Of recorded sites: which ports lead to the server's, and what time and chance are for the page. */
  readonly replay?: Replay;
  /** Of live addresses: which keys are accepted, where connections go, what is not asked for. */
  readonly live?: LivePage;
  readonly headed: boolean;
  /** Media Source quota in megabytes (10^6 bytes); 0 leaves the browser's own. */
  readonly mediaBufferMegabytes: number;
  /** Whether frames of the viewport will be recorded: some browsers must be told at launch. */
  readonly frames: boolean;
  /** Whether network events are recorded, the default. Only the measurement of what recording costs does without. */
  readonly networkEvents?: boolean;
  /** Where a browser may keep what makes every start quicker and is the same for all trials; by default the project's cache. */
  readonly cacheDir?: string;
}

/** A frame as captured: an encoded image, and the time in ms on the page's `performance.timeOrigin` clock. */
export interface CapturedFrame {
  readonly jpeg: Uint8Array;
  readonly tMs: number;
}

/** What was recorded between start and stop; nothing is parsed before the browser has ended. */
export interface BrowserRecording {
  /** Set where the recording itself disturbed what was measured: the trial is worth nothing. */
  readonly disturbance?: string;
  readonly timings: PageTimings | null;
  /** Null: this browser can give no frames, the reason is in `warnings`. */
  readonly frames: readonly CapturedFrame[] | null;
  readonly warnings: readonly string[];
  buildHar(): Promise<Har>;
}

/** One started browser with one tab, ready to navigate. */
export interface BrowserSession {
  readonly name: string;
  readonly version: string;
  readonly rootPid: number;
  /** The last lines the browser wrote on stderr, for errors. */
  stderrTail(): string;
  /** Starts recording network events, and frames if asked for at launch. Call once, before `navigate`. */
  startRecording(): Promise<void>;
  /** Resolves after the load event's end. @throws H2h3Error `deadline`, or `process-failed` when navigation fails. */
  navigate(url: string, deadlineMs: number): Promise<void>;
  /** Resolves when no request was under way for `quietMs`, or at the deadline (then false). */
  waitUntilQuiet(quietMs: number, deadlineMs: number): Promise<boolean>;
  /** Value of `globalThis.h2h3Session`, a promise of JSON. @throws H2h3Error `deadline` or `process-failed`. */
  sessionResult(deadlineMs: number): Promise<unknown>;
  /**
   * What `globalThis.h2h3SessionSoFar()`, if the page has it, says of a session that does not end in time;
   * null otherwise. Never throws.
   */
  sessionSoFar?(): Promise<unknown>;
  /** Reads timings and ends recording. */
  stopRecording(): Promise<BrowserRecording>;
  /** Lets the browser end by itself, so that it writes what it keeps; `close` follows all the same. @throws H2h3Error `deadline` */
  end(): Promise<void>;
  /** Ends the browser and all its processes, by force if need be. Never throws; resolves when they are gone. */
  close(): Promise<void>;
}

/** One file per browser family. @throws H2h3Error `process-failed` with the last lines of stderr when it will not start. */
export type LaunchBrowser = (options: BrowserLaunchOptions) => Promise<BrowserSession>;
