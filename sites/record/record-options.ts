import type { Readable, Writable } from 'node:stream';
import type { Device } from '../../src/core/model/device.ts';
import type { StateCookie } from '../../src/core/model/live-access.ts';
import type { ProgressReporter } from '../../src/core/model/workload.ts';
import type { ArchiveChoices } from '../archive/store-archive.ts';

/** What opens pages to those who are logged in; in memory only. */
export interface RecordedAccess {
  readonly cookies: readonly StateCookie[];
  /** Runs before each document's own scripts and fills the storage. */
  readonly script?: string;
  /** Texts that no archive holds unless asked for. */
  readonly secrets: readonly string[];
}

/** The page that is recorded, for its driver. */
export interface DrivenPage {
  /** Where the browser takes commands and answers, and a session with it that nothing else uses. */
  readonly pipes: { readonly write: Writable; readonly read: Readable; readonly sessionId: string };
  /** Value of an expression in the page as it is now. */
  evaluate(expression: string): Promise<unknown>;
  /** Has a script run before each document's own. */
  runFirst(source: string): Promise<void>;
  /** Whether nothing is under way any more, at the latest after so long. */
  waitUntilQuiet(limitMs: number): Promise<boolean>;
  /** Resolves with what the driver may not do: a window that it opened, the page that it closed. */
  readonly misdeed: Promise<string>;
  /** Rejects when the browser is gone. */
  readonly gone: Promise<never>;
}

/** What came of driving a page. */
export interface Driven {
  /** Whether it went quiet after each step. */
  readonly quiet: boolean;
  /** Texts that no archive holds unless asked for. */
  readonly secrets: readonly string[];
}

export interface RecordOptions extends ArchiveChoices {
  readonly urls: readonly string[];
  /** A browser of the Chromium family. */
  readonly browserPath: string;
  /** Program and first arguments. */
  readonly mitmdump: readonly string[];
  /** Port for the proxy on the loopback. */
  readonly proxyPort: number;
  /** What the pages are shown on. Default: the desktop of every trial. */
  readonly device?: Device;
  /** Settle time and chance for scripts, as a replay of this archive then does too. Default no. */
  readonly deterministic?: boolean;
  /** Loads of each address. Default 1. */
  readonly visits?: number;
  /** Scroll down each page, so that lazy objects are asked for. Default no. */
  readonly scroll?: boolean;
  /** Default: not logged in. */
  readonly access?: RecordedAccess;
  /** Goes through the pages instead of loading the one address. */
  readonly drive?: (page: DrivenPage) => Promise<Driven>;
  /** Accept any certificate of the recorded servers. Default no. */
  readonly insecureUpstream?: boolean;
  /** File of certificates in PEM that are trusted besides the public ones. */
  readonly ca?: string | undefined;
  /** `HOST:PORT:TOHOST:TOPORT`: where requests for a host go instead, as curl's `--connect-to` takes them. */
  readonly connectTo?: readonly string[];
  /** Variables that the browser needs. */
  readonly browserEnvironment?: Readonly<Record<string, string>>;
  /** Longest time for one load, in ms. Default 30 s. */
  readonly limitMs?: number;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
}
