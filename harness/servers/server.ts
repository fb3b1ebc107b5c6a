import type { ServerDescription } from '../../src/core/model/environment.ts';
import type { AppLedger } from '../../src/core/model/app-ledger.ts';
import type { RelayLine, ReplayLedger, ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import type { SinkLine } from '../../src/core/model/sink-line.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import type { ProcessRow } from '../../src/core/system/processes/process-table.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import type { SenderSettings, ServerFactorName } from './sender-settings.ts';

/** All addresses, those of IPv4 too (RFC 4291, 2.5.2, and `bindv6only` of ipv6(7)). */
export const anyAddress = '::';

export interface ServerStartOptions {
  readonly roots: readonly SiteRoot[];
  /** Address to listen on; `anyAddress`: on all of either version of IP. */
  readonly address: string;
  /** Port for TCP and UDP alike; null picks a free one. @throws H2h3Error `usage` when a given one is in use. */
  readonly port: number | null;
  readonly certificates: CertificateStore;
  /** Configuration and logs are written here. */
  readonly workDir: string;
  /** Argument prefix of the server's command line (namespace, CPU pinning). */
  readonly launchPrefix: readonly string[];
  /** The same for what runs outside of the server's namespace (CPU pinning alone). Default: nothing. */
  readonly outsidePrefix?: readonly string[];
  /**
   * TCP congestion control wanted for the server's connections; null leaves the one of the server's network
   * namespace. Left out: the algorithm that the server's QUIC uses, where its TCP can be set to it without
   * changing the machine.
   */
  readonly tcpCongestionControl?: string | null;
  /**
   * Congestion control asked for by name: TCP runs it or the description says why not, and QUIC where the server
   * offers it. It goes before `tcpCongestionControl`.
   */
  readonly congestion?: string;
  readonly settings?: SenderSettings;
  /** Of a proxy: where it goes on to. */
  readonly upstream?: { readonly address: string; readonly port: number };
  /** Environment of every process of the run (carries the marker by which the reaper finds them). */
  readonly environment: Readonly<Record<string, string>>;
}

export interface RunningServer {
  readonly description: ServerDescription;
  readonly address: string;
  readonly port: number;
  /** Of its first process; 0 where that is none of this machine. */
  readonly pid: number;
  /** What the user should know about this server on this machine, such as small UDP buffers. */
  readonly warnings: readonly string[];
  /** Present end of the access log. */
  mark(): Promise<number>;
  /**
   * Entries logged after `mark`, in order of completion. The server logs when a response ends, so this waits
   * up to 3 s until every one of `awaited` (`host` + path with query) is there; what is missing then stays missing.
   */
  entriesSince(mark: number, awaited: readonly string[]): Promise<ServerLogEntry[]>;
  /**
   * Resolves when a request for `path` was logged after `mark`, or `signal` is given. Absent: the log lies here, and is asked
   * again and again.
   */
  readonly awaitEntry?: (mark: number, path: string, signal: AbortSignal) => Promise<void>;
  /** What the origins of recorded sites were asked from `epochMs` on; undefined without such origins. */
  ledgerSince?(epochMs: number): Promise<ReplayLedger | undefined>;
  /** What an app behind it was asked from `epochMs` on; undefined without one. */
  appLedgerSince?(epochMs: number): Promise<AppLedger | undefined>;
  /** What relays of MoQ behind it logged from `epochMs` on; undefined without one. */
  relayLogSince?(epochMs: number): Promise<RelayLine[] | undefined>;
  /** How far uploads had come that began from `epochMs` on; undefined without a sink behind it. */
  arrivedSince?(epochMs: number): Promise<SinkLine[] | undefined>;
  /** Name of a program behind it that has died, for people; undefined while all run. */
  deadBehind?(): string | undefined;
  /** CPU times of its processes by process id, of one that is on another machine; absent: they are those of `pid` here. */
  readonly cpuTimes?: () => Promise<ReadonlyMap<number, ProcessRow>>;
  /**
   * Brings what it logged of its QUIC connections since the last `mark` to the folder that its environment named. Absent: it
   * logs there itself, or nothing.
   */
  readonly fetchLogs?: () => Promise<void>;
  /** Whether the process still runs. */
  alive(): boolean;
  stop(): Promise<void>;
}

export interface ServerProvider {
  readonly id: string;
  readonly title: string;
  /** The factors of senders and servers that it applies. */
  readonly applies: readonly ServerFactorName[];
  /** What its QUIC can run, its default first. */
  readonly quicCongestionControls: readonly string[];
  /**
   * Finds its program, or fetches it, before a run begins; absent where nothing can lack.
   *
   * @throws H2h3Error `unsupported` when it cannot be had here.
   */
  require?(): Promise<void>;
  start(options: ServerStartOptions): Promise<RunningServer>;
}
