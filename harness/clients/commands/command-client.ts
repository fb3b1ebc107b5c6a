import type { SetupContext } from '../../tools/setup-context.ts';
import type { VersionedProgram } from '../../tools/versions/version-source.ts';
import type { DownloadSession } from '../../../src/core/model/session.ts';
import type { Migration } from '../../../src/core/factors/connecting.ts';
import type { ClientFactorName, ClientFactors, ClientLaunchOptions, ClientStack } from '../client-driver.ts';
import type { ArmProtocol, Protocol } from '../../../src/core/model/protocol.ts';

/** What a command-line client is asked to fetch. */
export interface CommandRequest {
  readonly protocol: ArmProtocol;
  /** Asked for in this order, over one connection a host where the protocol has that; the bodies are thrown away. */
  readonly urls: readonly string[];
  /** What is sent with each by POST; absent: each is asked for by GET. */
  readonly body?: NonNullable<ClientLaunchOptions['requests']>['body'];
  /** Every host name leads here; null: as the machine resolves names. */
  readonly server: { readonly address: string; readonly port: number } | null;
  /** Where names are asked for by DNS over HTTPS; absent: they lead to `server`. Only clients that apply a factor of names are told. */
  readonly nameService?: string;
  /** Base64 SHA-256 of the public key that the server must have; empty: certificates are judged as usual. */
  readonly spkiHash: string;
  /** After this time (s) the client gives up and says what it has. */
  readonly limitSeconds: number;
  readonly flags: readonly string[];
  /** What factors say of it; the words of `flags` stand above. */
  readonly factors?: Omit<ClientFactors, 'flags'>;
  /** An empty folder for what the client writes next to its output. */
  readonly scratchDir: string;
}

/** One answer as the client tells of it; times in ms after the client began with it, null where it does not say. */
export interface CommandTransfer {
  readonly url: string;
  /** 0: none came. */
  readonly status: number;
  /** As the client spells it; empty where nothing was negotiated. */
  readonly protocol: string;
  readonly bodyBytes: number;
  /** Of the request's body; absent where it has none, or the client does not say. */
  readonly sentBytes?: number;
  readonly headerBytes: number | null;
  readonly mimeType: string;
  /** 0 where an open connection was used. */
  readonly connectStartMs: number;
  readonly connectEndMs: number;
  readonly requestStartMs: number;
  readonly responseStartMs: number;
  readonly endMs: number;
  /** Where the address was lost on the way; as in the session. */
  readonly handover?: DownloadSession['streams'][number]['handover'];
  /** Where it took up the session of a connection before; as in the session. */
  readonly resumption?: DownloadSession['streams'][number]['resumption'];
  /** Why it failed; undefined: it came whole. */
  readonly error?: string | undefined;
}

/** Where a build that speaks more than the machine's own comes from. */
export interface CommandTool {
  /** What it speaks, where a client of the machine's own may speak less. */
  readonly protocols?: readonly Protocol[];
  /** Its file if it is here already; installs nothing. */
  find(context: SetupContext): Promise<string | undefined>;
  /** @throws H2h3Error `unsupported` with the reason */
  ensure(context: SetupContext): Promise<string>;
}

/** What a build says of itself. */
export interface CommandBuild {
  readonly version: string;
  /** Those that it speaks. */
  readonly protocols: readonly Protocol[];
  /** What makes HTTP/3 in it, with its version, where builds of one client have different libraries. */
  readonly quicLibrary?: string;
}

/** A command-line client: one file, and one line in the registry. */
export interface CommandClient {
  readonly id: string;
  readonly title: string;
  /** Programs to look for on PATH, the preferred first. */
  readonly programs: readonly string[];
  readonly installHint: string;
  /** A build of the tool cache, which goes before what is on PATH. */
  readonly tool?: CommandTool;
  /** Versions of it that can be named as `id@version`. */
  readonly versions?: {
    readonly program: VersionedProgram;
    /** What is started, in a version's folder. */
    readonly fileIn: (directory: string, context: SetupContext) => string;
  };
  /** What `program --version` prints. */
  parseVersion(versionText: string): CommandBuild;
  /** What a reader must know of a QUIC library of such builds (`OpenSSL 3.5.9`); undefined where nothing. */
  doubtedLibrary?(quicLibrary: string): string | undefined;
  /** Arguments behind the program's name. */
  arguments(request: CommandRequest): string[];
  /** Files that it reads in its folder, by their names. */
  files?(request: CommandRequest): Readonly<Record<string, string>>;
  /** Variables that it needs besides those of the process. */
  environment?(request: CommandRequest): Readonly<Record<string, string>>;
  /**
   * What it wrote on standard output, and into its folder.
   * @param elapsedMs from its start to its end, for those that tell less than the whole
   * @throws Error when that cannot be read
   */
  transfers(stdout: string, request: CommandRequest, elapsedMs: number): readonly CommandTransfer[];
  /** The factors that it applies besides those of every command-line client. */
  readonly applies?: readonly ClientFactorName[];
  readonly stack?: ClientStack;
  /** Of a client that can have competing flows: what each connection got, out of what it wrote; undefined without any. */
  contest?(stdout: string): DownloadSession['contest'];
  /** Servers whose HTTP/3 does not reach builds with a QUIC library, and why; absent: it gets on with all. */
  readonly unansweredBy?: readonly {
    /** As arms name them. */
    readonly fronts: readonly string[];
    /** How `quicLibrary` begins. */
    readonly library: string;
    readonly reason: string;
  }[];
  /**
   * Words behind its others that make it begin at another local address, and ask from this byte on, 0 for all; with a
   * migration asked for it writes the body to standard output and its account to standard error. Absent: it is not begun again.
   */
  readonly restartArguments?: (address: string, fromByte: number) => readonly string[];
  /** Which ways of losing the address it has over each protocol, where it knows that factor but not all of them. */
  readonly migrations?: Readonly<Partial<Record<Protocol, readonly Migration['then'][]>>>;
  /** Of one that resumes sessions: over which protocols it does, where not over all, and whether it has early data at all. */
  readonly resumes?: { readonly over: readonly Protocol[]; readonly earlyData: boolean };
  /** Set where it sends a body that it is given. */
  readonly uploads?: true;
  /** Set where it tells nothing of single requests, so that only one can be made. */
  readonly onlyOneRequest?: boolean;
  /** Exit code for having given up at the time limit. */
  readonly timeLimitExitCode: number;
}
