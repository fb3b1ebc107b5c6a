import type { ServerDescription } from '../../src/core/model/environment.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { VersionedProgram } from '../tools/versions/version-source.ts';
import type { ServerFactorName } from './sender-settings.ts';
import type { ServerStartOptions } from './server.ts';

/** A server program that can be started here. */
export interface ServerProgram {
  /** Words that start it, its own file the last of them; its arguments follow. */
  readonly command: readonly string[];
  readonly version: string;
  /** Where it was found, for people. */
  readonly place: string;
  /** Why it has no X25519MLKEM768, a sentence without its full stop; absent where it has, or does not say. */
  readonly lacksHybrid?: string;
  /** The congestion control of its QUIC, read out of the program itself; absent where it does not say. */
  readonly quicCongestionControl?: string;
  /** Of a version that was fetched by name: where from, and what its archive was checked against. */
  readonly origin?: string;
  readonly integrity?: string;
}

/** Versions of a server that can be named as `id@version`. */
export interface ServerVersions {
  readonly program: VersionedProgram;
  /** What of the server is otherwise in the version that is wanted (the beginning of one, or `latest`). */
  readonly differs?: (wanted: string) => Partial<Pick<ServerSoftware, VersionedTrait>>;
  /** The program in a version's folder. @throws H2h3Error `process-failed` where it does not start */
  readonly programIn: (directory: string, context: SetupContext) => Promise<ServerProgram>;
}

type VersionedTrait =
  | 'title'
  | 'applies'
  | 'resumption'
  | 'quicCongestionControls'
  | 'quicNote'
  | 'quicBearsLoss'
  | 'obeysPriorities'
  | 'lacksHybrid';

/** Everything that a configuration is made of. */
export interface ServerLayout {
  readonly program: ServerProgram;
  readonly options: ServerStartOptions;
  readonly port: number;
  /** Entries of requests that ended go here, a line each. */
  readonly accessLogFile: string;
  /** Socket of the program that answers for a host: of the roots that have one; of a server without files, of all. */
  readonly sockets: ReadonlyMap<string, string>;
  /** PEM files of the leaf of each host of the roots, in their order. */
  readonly certificates: readonly { readonly certificateFile: string; readonly keyFile: string }[];
  /** Number of the listening TCP socket that was opened for it; null: it opens its own. */
  readonly inheritedTcpSocket: number | null;
  /** Algorithm to set on its TCP connections by itself, of a server that takes no socket over; null: the machine's. */
  readonly tcpCongestionControl: string | null;
  /** One of `quicCongestionControls`. */
  readonly quicCongestionControl: string;
}

export interface ServerLaunch {
  readonly args: readonly string[];
  /** Whether entries of requests stand among its output instead of in the file of their own. */
  readonly logsToOutput?: boolean;
  /** Added to the run's own environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * What the file of a server says of it; the kit (`serverProvider`) does everything else: ports, certificates, the
 * listening socket and its congestion control, readiness, reading the log, versions, set-up and its row in `doctor`.
 */
export interface ServerSoftware {
  /** Name in plans and results. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** One line: name, QUIC implementation, what it speaks. */
  readonly title: string;
  /** What its QUIC can run, its default first; as the server names them, in lower case. */
  readonly quicCongestionControls: readonly string[];
  /** What a reader must know of its QUIC's congestion control beyond the name. */
  readonly quicNote?: string | undefined;
  /** Set where its QUIC hardly slows down on random loss, whatever the name of its algorithm. */
  readonly quicBearsLoss?: boolean;
  /**
   * `inherits`: takes over a listening TCP socket, on which the kit sets the algorithm (null) or says why this
   * version cannot; `itself`: sets it by its own configuration.
   */
  readonly tcpCongestion:
    'itself' | { readonly notInheritedReason: (program: ServerProgram) => string | null };
  /** Set where it serves less than the others: downloads of command-line clients over HTTP/3. */
  readonly scope?: 'h3-downloads';
  /** Protocols over which it sends first what the client calls urgent, unless told otherwise; absent: not tried. */
  readonly obeysPriorities?: readonly Protocol[];
  /** What its QUIC does of ECN: marks its packets as ECN-capable unless told not to, or never. Absent: not known, so that no plan can ask. */
  readonly ecnOverQuic?: 'unless-off' | 'never';
  /** Ways to compress certificates that its switch switches (RFC 8879). Absent: none. */
  readonly certificateCompressions?: readonly string[];
  /** The way in which its QUIC compresses them unasked, without a switch for that. */
  readonly compressesUnasked?: string;
  /** Set where it sends the messages of pages back, over WebSocket and WebTransport. */
  readonly echoesMessages?: boolean;
  /** The factors that its configuration applies, besides those that the kit sees to. */
  readonly applies: readonly ServerFactorName[];
  /** Why it does not apply a factor, behind its name, where more is known than that it does not. */
  readonly lacks?: Readonly<Partial<Record<ServerFactorName, string>>>;
  /**
   * Of one that ends idle connections when told to, and whose log says what was resumed: over which protocols it takes
   * early data when told to, and none when not.
   */
  readonly resumption?: { readonly earlyDataOver: readonly Protocol[] } | undefined;
  /** Set where its QUIC is started here without early data, whatever the program could. */
  readonly quicTakesNoEarlyData?: true;
  /** Why the version that is named has no X25519MLKEM768; absent: it has, or the program that is found tells. */
  readonly lacksHybrid?: string;
  /** Set where it takes minutes to build, so that a run that names it does that, and no set-up. */
  readonly builtWhenNamed?: true;
  /** Whether it serves files itself; otherwise a program behind it does, over plain HTTP/1.1. */
  readonly servesFiles: boolean;
  /** Of a proxy: what it speaks to the next hop. */
  readonly upstreamProtocol?: Protocol;
  /** Absent: there is one version, the one that is here. */
  readonly versions?: ServerVersions;
  /** The program if it is here already; installs nothing. */
  readonly find: (context: SetupContext) => Promise<ServerProgram | undefined>;
  /** The program, fetched or built where it must be. @throws H2h3Error `unsupported` with the reason. */
  readonly ensure: (context: SetupContext) => Promise<ServerProgram>;
  /** Writes its configuration. */
  readonly configure: (layout: ServerLayout) => Promise<ServerLaunch>;
  /** One line of its access log; undefined for one that is none (torn by a full disk). */
  readonly parseLogLine: (line: string) => ServerLogEntry | undefined;
  /** What it does of what was asked of it, by its own log. */
  readonly seenIn?: (log: string) => Partial<ServerDescription>;
  /** What it warns of in its own log. */
  readonly warningsIn?: (log: string) => string[];
}
