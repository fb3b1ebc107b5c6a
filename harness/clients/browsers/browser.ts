import type { ProcessRow } from '../../../src/core/system/processes/process-table.ts';
import type { ClientLaunchOptions, ClientRecord } from '../client-driver.ts';
import type { JourneyPort } from './journey-port.ts';

/** One started browser with one tab, ready to navigate. */
export interface BrowserSession {
  readonly name: string;
  readonly version: string;
  /** 0: none of this machine's. */
  readonly rootPid: number;
  /** Of a browser on another machine: its processes there. */
  readonly processes?: (() => Promise<readonly ProcessRow[]>) | undefined;
  /** Never resolves; rejects when the browser or its page's process has ended by itself. */
  readonly gone: Promise<never>;
  /** The last lines the browser wrote on stderr, for errors. */
  stderrTail(): string;
  /** Starts recording network events, and frames if asked for at launch. Call once, before `navigate`. */
  startRecording(): Promise<void>;
  /** Resolves after the load event's end. @throws H2h3Error `deadline`, or `process-failed` when navigation fails. */
  navigate(url: string, deadlineMs: number): Promise<void>;
  /** Opens the browser to a user's script, in place of `navigate`. Call once. */
  openJourney(): Promise<JourneyPort>;
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
  stopRecording(): Promise<ClientRecord>;
  /** Lets the browser end by itself, so that it writes what it keeps; `close` follows all the same. @throws H2h3Error `deadline` */
  end(): Promise<void>;
  /** Ends the browser and all its processes, by force if need be. Never throws; resolves when they are gone. */
  close(): Promise<void>;
}

/** One file per browser family. @throws H2h3Error `process-failed` with the last lines of stderr when it will not start. */
export type LaunchBrowser = (options: ClientLaunchOptions) => Promise<BrowserSession>;
