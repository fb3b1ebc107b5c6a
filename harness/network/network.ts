import type { PathStart } from '../../src/core/model/path-start.ts';
import type { ValuesFor } from '../../src/core/factors/values.ts';
import type { NetworkDescription } from '../../src/core/model/environment.ts';
import type { PathCheckDepth } from '../../src/core/model/path-check-depth.ts';
import type { BesideFacts, LinkQueue } from '../../src/core/model/link-queue.ts';
import type { ConnectionStart } from '../../src/core/model/connection-start.ts';
import type { LinkFlow } from '../../src/core/model/raw-trial.ts';
import type { LinkCourse, LinkFigures } from '../../src/core/model/schedule.ts';
import type { Namespace } from './namespace.ts';

/** Segmentation offloads of a link, all of them. */
export type OffloadState = NonNullable<LinkSettings['offloads']>;

/** What factors say of a link; what is absent stays as the network has it. */
export type LinkSettings = ValuesFor<'link'>;

/**
 * `required`: a path that fails it, in several looks, is refused. `reported`: it is measured once, and the caller is told.
 * `left-out`: nothing is measured.
 */
export type PathCheckUse = 'required' | 'reported' | 'left-out';

export interface NetworkStartOptions {
  /** Names this run's namespaces. */
  readonly runId: string;
  readonly workDir: string;
  /** Names that must resolve to the server from the client's side. */
  readonly hosts: readonly string[];
  /** TCP congestion control wanted on both ends, equal in kind to the QUIC server's; null leaves the machine's. */
  readonly tcpCongestionControl: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /** CPUs on which whatever shapes the path runs, as for taskset; null leaves it to the system. */
  readonly cpus: string | null;
  readonly settings?: LinkSettings;
  /**
   * Whether the far end leads on into the machine's own network, to whatever answers there; `where-possible`: only where
   * that can be had, else a note says why not; `names`: it does not, and names are this machine's all the same; `machine`: it
   * does, and the names of `hosts` lead to the machine that has this address. Default no.
   */
  readonly outside?: boolean | 'where-possible' | 'names' | { readonly machine: string };
  /**
   * Whether datagrams with ECN reach the ends joined where a queue marks, at half of the emulator's CPU time. Firefox counts the
   * mark of joined ones once. Default: no.
   */
  readonly joinsMarked?: boolean;
  /** Whether what repeats in a schedule begins at its beginning, and not at a place that depends on the seed. Default: no. */
  readonly schedulesFromStart?: boolean;
  /** What becomes of the path's check. Default: `required`. */
  readonly check?: PathCheckUse;
  /** Default: `full`. */
  readonly checkDepth?: PathCheckDepth;
  /** Where the link stands in a chain of several; absent: the only one. */
  readonly link?: {
    /** From the client, from 0. */
    readonly index: number;
    /** The namespace in which the link before ends; null: this link is the first that has namespaces. */
    readonly near: Namespace | null;
  };
}

/** Traffic of another client of the link that is under way. */
export interface RunningCrossTraffic extends BesideFacts {
  readonly stop: () => Promise<void>;
}

/** A link between two neighbours on the way that is up; with the only one, between client and server. */
export interface RunningNetwork {
  readonly description: NetworkDescription;
  /** Address on which the server listens and to which every host name resolves. */
  readonly serverAddress: string;
  /** Address of the machine at its far end; absent: that is this machine. */
  readonly farAddress?: string;
  /** Where names have an address of either version of IP: that of IPv6. The server listens on all addresses then. */
  readonly serverAddressV6?: string;
  /** Argument prefix of command lines, which runs them at the client's and at the server's end; empty: the host itself. */
  readonly clientPrefix: readonly string[];
  readonly serverPrefix: readonly string[];
  /** Variables that lead programs at the client's end to it, undefined where one is to be absent. Absent: it needs none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Why nothing beyond this machine is reached; absent: it is, or nobody asked for it. */
  readonly isolationReason?: string;
  /** Of one on the machine of clients elsewhere: its number there, and whether it is not reached any more. Absent: it is here. */
  readonly elsewhere?: { readonly network: number; readonly host: string; readonly isLost: () => boolean };
  /** The namespaces that it joins; absent where both ends are in the same place. */
  readonly ends?: { readonly near: Namespace; readonly far: Namespace };
  /**
   * Unix socket to which the trial worker writes one line at navigation start, so that a trace starts then,
   * from an offset that depends on the block's seed only; null where nothing varies with time.
   */
  startSignal(blockSeed: number): PathStart | null;
  /** Absent where nothing keeps it up. @throws H2h3Error `process-failed` where a process that it needs has ended */
  readonly requireAlive?: () => void;
  /** Cumulative counters (UdpRcvbufErrors, emulator drops, lateness …); the runner records the difference over a trial. */
  counters(): Promise<Record<string, number>>;
  /** All flows since the last start signal, ended ones included; null or absent where the link does not count them. */
  flows?(): Promise<readonly LinkFlow[] | null>;
  /** How the server began on each of the first connections since the last start signal; absent where the link does not see it. */
  readonly connectionStarts?: () => Promise<readonly ConnectionStart[]>;
  /** What the queues of the client's own link did since the last start signal; absent where nothing asks for it. */
  readonly queue?: () => Promise<LinkQueue>;
  /** What the client's own link did, time after time, since the last start signal; absent where it follows no schedule. */
  readonly course?: () => Promise<LinkCourse>;
  /** Sets figures of the client's own link from now on, over its own; absent where a link cannot be changed while it is up. */
  readonly change?: (figures: LinkFigures) => Promise<void>;
  /** Begins the traffic of another client of the link; absent where there is none. @throws H2h3Error `unsupported` */
  readonly startCrossTraffic?: () => Promise<RunningCrossTraffic>;
  /**
   * Time in which even a slow transfer of so many bytes over this path is done, ms: a deadline made for a fast path
   * would cut it off. Absent where nothing is set.
   */
  transferTimeoutMs?(bytes: number): number;
  stop(): Promise<void>;
}

export interface NetworkUse {
  /** What trials set links to. */
  readonly settings: readonly LinkSettings[];
  /** Whether its programs are built, for which a compiler may be fetched; otherwise they count as here. */
  readonly builds: boolean;
}

export interface NetworkProvider {
  readonly id: string;
  readonly title: string;
  /** Why a link of it cannot be set so, `undefined` where it can. Absent: its ends are not ours. */
  readonly unsupportedReason?: (settings: LinkSettings) => string | undefined;
  /**
   * Whether it can be had here, found out before a run begins.
   *
   * @param use what trials ask of it, and whether its programs are made now
   * @throws H2h3Error `unsupported` for a missing permission or program (its package named), `bad-input` for a trace.
   */
  require?(use: NetworkUse): Promise<void>;
  start(options: NetworkStartOptions): Promise<RunningNetwork>;
}
