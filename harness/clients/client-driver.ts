import type { AppliedBy, ValuesFor } from '../../src/core/factors/values.ts';
import type { AppPage } from '../../src/core/model/app-under-test.ts';
import type { Device } from '../../src/core/model/device.ts';
import type { Har } from '../../src/core/model/har.ts';
import type { LiveAccess } from '../../src/core/model/live-access.ts';
import type { LiveOptions, LivePage } from '../../src/core/model/live-address.ts';
import type { ArmProtocol } from '../../src/core/model/protocol.ts';
import type { JourneyStep, PageTimings, ShownDocument } from '../../src/core/model/raw-trial.ts';
import type { Session } from '../../src/core/model/session.ts';
import type { PreparedWorkload, Replay } from '../../src/core/model/workload.ts';
import type { Timeline } from '../../src/core/model/timeline.ts';
import type { Instrumentation } from '../../src/core/model/instrumentation.ts';
import type { ProcessRow } from '../../src/core/system/processes/process-table.ts';
import type { ClientIdentity } from './client.ts';
import type { SeenFailure } from './journey/look-at-failure.ts';

/** Whose factors go to the client, and to what runs in it. */
export const clientAppliers = ['client', 'player', 'workload'] as const;
/** What factors say of a client and of what it loads. */
export type ClientFactors = ValuesFor<(typeof clientAppliers)[number]>;
/** Factors that clients must apply. */
export type ClientFactorName = AppliedBy<'client'>;

/** Where every name of a workload leads. */
export interface ServerPlace {
  readonly address: string;
  readonly port: number;
  readonly pid?: number;
  /** Where it writes its qlogs; absent: it writes none. */
  readonly qlogDir?: string;
  /** Whether it writes them on another machine, from which the worker has them fetched when the client has ended. Default: no. */
  readonly logsElsewhere?: boolean;
  /** Address of what answers for the names; absent: the client is told where they lead. */
  readonly resolver?: string;
}

/**
 * What a client can write by itself while it runs: Chromium's net log, its trace, the secrets of its TLS and QUIC
 * connections (NSS key log format), a qlog of each QUIC connection, Firefox's log of its network modules and its profile.
 */
export type ClientLog = 'netLog' | 'trace' | 'keys' | 'qlog' | 'mozLog' | 'geckoProfile';

export interface ClientLaunchOptions {
  readonly client: ClientIdentity;
  readonly protocol: ArmProtocol;
  /** An empty folder, or the profile of an earlier start; the caller removes it. */
  readonly profileDir: string;
  readonly spkiHash: string;
  /** Base64 of the DER of the authority that signed the server's certificates, where hosts may share a connection: some browsers share none whose certificate they were told to accept. */
  readonly authority?: string;
  /** Every name the workload may ask for; each resolves to `server`. Of a live address those that HTTP/3 is forced on, with their ports. */
  readonly hosts: readonly string[];
  /** Null for live addresses: names resolve as the machine resolves them. */
  readonly server: ServerPlace | null;
  /** Of recorded sites: which ports lead to the server's, and what time and chance are for the page. */
  readonly replay?: Replay;
  /** Of live addresses: which keys are accepted, where connections go, what is not asked for. */
  readonly live?: LivePage;
  /** Of apps of the user's: the page as the browser knows it, what is not asked for, and what comes of other hosts. */
  readonly app?: Pick<AppPage, 'block' | 'thirdParties'> & { readonly url: string };
  /** Of live addresses and apps: what opens them. Secret: it goes into no file and no command line. */
  readonly access?: LiveAccess;
  /** What pages are shown on. Default: a common desktop size. */
  readonly device?: Device;
  readonly headed: boolean;
  /** Whether a user's script will drive it. Default: no. */
  readonly driven?: boolean;
  /** What it shows at first. Default: an empty page; only the measurement of what recording costs has another. */
  readonly startUrl?: string;
  /** Media Source quota in megabytes (10^6 bytes); 0 leaves the browser's own. */
  readonly mediaBufferMegabytes: number;
  /** Whether frames of the viewport will be recorded: some browsers must be told at launch. */
  readonly frames: boolean;
  /** `uninstrumented`: nothing of ours records while the workload is loaded; its timelines are read once it has come to rest. */
  readonly instrumentation: Instrumentation;
  /** What a client without pages asks for, in order; absent where the workload needs a page. */
  readonly requests?: {
    readonly urls: readonly string[];
    /** Body bytes of all of them. */
    readonly bodyBytes: number;
    /** What is sent with each: the file that holds it, and its type; empty: none is named. Absent: nothing is sent. */
    readonly body?: { readonly file: string; readonly contentType: string };
    /** Time after which the client gives up, ms. */
    readonly limitMs: number;
  };
  /** What factors say of it; a client whose driver does not apply one is never asked for it. */
  readonly factors?: ClientFactors;
  /** Where it is to write what probes ask for; of a `qlog` the folder. A client that has none of the kind writes nothing. */
  readonly logs?: Readonly<Partial<Record<ClientLog, string>>>;
  /** Where a browser may keep what makes every start quicker and is the same for all trials; by default the project's cache. */
  readonly cacheDir?: string;
}

/** Where a client is to ask for names by DNS over HTTPS; undefined where it is told what they lead to. */
export function nameServiceOf({
  server,
  factors,
}: Pick<ClientLaunchOptions, 'server' | 'factors'>): string | undefined {
  const { resolver } = server ?? {};
  const { discovery = 'forced', family } = factors ?? {};
  // Addresses alone are answered there.
  const way = discovery === 'forced' && family === 'both' ? 'alt-svc' : discovery;
  return resolver === undefined || way === 'forced' ? undefined : `${resolver}/${way}`;
}

/** A frame as captured: an encoded image, and the time in ms on the page's `performance.timeOrigin` clock. */
export interface CapturedFrame {
  readonly jpeg: Uint8Array;
  readonly tMs: number;
}

/** What was recorded between start and stop; nothing is parsed before the browser has ended. */
export interface ClientRecord {
  /** Set where the recording disturbed what was measured, or the page is not the one that was loaded: the trial is worth nothing. */
  readonly disturbance?: string;
  readonly timings: PageTimings | null;
  /** The documents of a page that redirects by itself, in their order; absent where it had one. */
  readonly documents?: readonly ShownDocument[];
  /** Null: this browser can give no frames, the reason is in `warnings`. */
  readonly frames: readonly CapturedFrame[] | null;
  readonly warnings: readonly string[];
  /** Of a timed trial of a browser: what every document and worker kept of its requests. */
  readonly timelines?: readonly Timeline[];
  /** What the client recorded while it loaded; absent in a timed trial of a browser. */
  readonly buildHar?: () => Promise<Har>;
}

/** What a started client is to load, within `leftMs` of its deadline. */
export interface Load {
  readonly workload: PreparedWorkload;
  /** Where a browser goes. */
  readonly url: string;
  /** Time left until the workload's deadline, ms. */
  readonly leftMs: () => number;
  /** Of a timed trial: resolves when the page of a session has told the server that it is over; until then it is left in peace. */
  readonly ended?: Promise<void>;
  /** Takes what came so far of a session that does not end in time. */
  readonly keep: (session: Session) => void;
  /** Takes each step of a journey when it has ended. */
  readonly keepStep: (step: JourneyStep) => void;
  /** Takes what the page kept of the requests of a journey's step: the next step may load another page. */
  readonly keepTimeline: (timeline: Timeline) => void;
  /** Takes what a script asked for that must not be written anywhere. */
  readonly keepSecret: (secret: string) => void;
  /** What must not be shown of the page, as far as it is known by now. */
  readonly secrets?: () => readonly string[];
  /** Takes what the page of a script showed when the script failed. */
  readonly keepFailure?: (seen: SeenFailure) => void;
}

export interface Loaded {
  /** Null for pages. */
  readonly session: Session | null;
  readonly warnings: readonly string[];
}

/** One started client: nothing is loaded yet, and its first process runs. */
export interface ClientSession {
  readonly name: string;
  readonly version: string;
  /** 0: none of this machine's. */
  readonly rootPid: number;
  /** Of a client on another machine: its processes there. */
  readonly processes?: (() => Promise<readonly ProcessRow[]>) | undefined;
  /** What a process of this client does, by its command line (`network`, `renderer` …); null: processes that have ended. */
  processRole(commandLine: string | null): string;
  /** The last lines the client wrote on stderr, for errors. */
  stderrTail(): string;
  /** Starts recording network events, and frames if asked for at launch. Call once, before `load`. */
  startRecording(): Promise<void>;
  /** Loads the workload and waits for its end. @throws H2h3Error `deadline`, or `process-failed` when loading fails. */
  load(load: Load): Promise<Loaded>;
  /** Reads timings and ends recording. */
  stopRecording(): Promise<ClientRecord>;
  /** Ends the client and all its processes, by force if need be. Never throws; resolves when they are gone. */
  close(): Promise<void>;
}

/** What TLS and QUIC of a client do of what a plan may ask of both ends. */
export interface ClientStack {
  /** Set where its QUIC tells the server which packets were marked (ECN); for others servers give ECN up. */
  readonly reportsEcn?: true;
  /** Ways to compress certificates that it takes (RFC 8879). Absent: none. */
  readonly certificateCompressions?: readonly string[];
  /** Set where it offers none of them when told so. */
  readonly refusesCompression?: true;
  /** Set where it has no X25519MLKEM768. */
  readonly lacksHybrid?: true;
  /** Longest certificate chain that it takes over QUIC, bytes. Absent: no limit is known. */
  readonly maxChainBytes?: number;
}

/** How clients of one family are used. One file and one line in a registry each. */
export interface ClientDriver {
  /** The factors that it applies. */
  readonly applies: readonly ClientFactorName[];
  readonly stack?: ClientStack | undefined;
  /** What it cannot be told of live addresses, because neither a switch nor its driver takes it. */
  readonly lacksOfLive?: readonly (keyof LiveOptions)[] | undefined;
  /** What each word of the factor `flags` must look like. */
  readonly flagForm: { readonly pattern: RegExp; readonly example: string };
  /**
   * Why this client cannot load this workload over this protocol; undefined when it can.
   * @param firstHop server or proxy that it would speak to, and the path
   */
  refusal?(
    client: ClientIdentity,
    workload: Pick<PreparedWorkload, 'id' | 'kind' | 'view' | 'requests'>,
    protocol: ArmProtocol,
    firstHop?: { readonly front: string; readonly network: string },
  ): string | undefined;
  /** Loads the modules that `start` needs, so that it does not have to. Absent: there is nothing to load. */
  preload?(): Promise<void>;
  /** @throws H2h3Error `process-failed` with the last lines of stderr when it will not start. */
  start(options: ClientLaunchOptions): Promise<ClientSession>;
  /** The first visit of a `repeat` view, after which the client ends by itself; returns warnings. Absent: it keeps no caches. */
  visit?(options: ClientLaunchOptions, load: Load): Promise<readonly string[]>;
}
