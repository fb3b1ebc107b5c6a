import type { ClientIdentity } from '../../../harness/clients/client.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { CalibrationDocument } from '../../core/model/calibration.ts';
import type { H2h3Error } from '../../core/model/errors.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { Clients } from './clients.ts';

/** Names of what cannot be had here, each with the reason. */
export type Lacking = ReadonlyMap<string, H2h3Error>;

/** What the program of each name is, by its place or version; of one that would have to be fetched first there is none. */
export type Places = ReadonlyMap<string, string>;

/** What has its own program or script by name, besides clients. */
export type ProgramPlaces = Readonly<Record<'server' | 'proxy' | 'player', Places>>;

/** What checks may know besides the plan. `plan` knows what is here; a run also what it has fetched, loaded and tried. */
export interface Facts {
  readonly setup: SetupContext;
  readonly cpuCount: number;
  /** Those that were found, and those that cannot be had; one that would have to be fetched first is absent. */
  readonly clients: Clients;
  /** Every client of this machine; asked for only where something else cannot work. */
  readonly clientsHere: () => Promise<readonly ClientIdentity[]>;
  readonly servers: Lacking;
  /** Of the machine on which servers are to start; null where that is this one. */
  readonly serverHost: ServerHostFacts | null;
  /** Of the machine on which clients are to start; null where that is this one. */
  readonly clientHost: ClientHostFacts | null;
  readonly programPlaces: ProgramPlaces;
  readonly proxies: Lacking;
  readonly players: Lacking;
  readonly networks: Lacking;
  /** Why no link here has addresses of IPv6; null where one can. */
  readonly ipv6: H2h3Error | null;
  /** Why the shares of CPUs that the plan sets cannot be had; null where they can. */
  readonly cpuShares: H2h3Error | null;
  /** Its version, or why it cannot be had; null where nothing needs it. */
  readonly ffmpeg: string | H2h3Error | null;
  readonly time: PlannedTime;
  /** Of a gate: what this class of machine is known to tell apart. */
  readonly gate: GateLimits;
  /** What each live address showed of the protocols that it speaks, by workload. */
  readonly spoken: ReadonlyMap<string, SpokenProtocols>;
  readonly warmUps: readonly WarmUp[];
}

/** How long the trials to come should take, and how long they may. */
export interface PlannedTime {
  /** Trials without a record, in their order. */
  readonly pending: readonly PlannedTrial[];
  readonly expectedTrialMs: (trial: PlannedTrial) => number;
  /** Undefined without such a limit. */
  readonly budgetMs: number | undefined;
}

/** What the machine on which servers are to start says of a plan. */
export interface ServerHostFacts {
  /** Why it cannot be used; null where it can. */
  readonly fault: H2h3Error | null;
  /** Servers and proxies whose program is not there. Of a plan that only looks: which a run would fetch. */
  readonly lacking: readonly {
    readonly role: 'server' | 'proxy';
    readonly name: string;
    readonly reason: string;
    readonly next?: string | undefined;
  }[];
  /** Whether what was not there was fetched. */
  readonly fetches: boolean;
}

/** What the machine on which clients are to start says of itself. */
export interface ClientHostFacts {
  /** Why it cannot be used; null where it can. */
  readonly fault: H2h3Error | null;
  /** Null where it could not be asked. */
  readonly cpuCount: number | null;
}

export interface GateLimits {
  readonly machineClass: string;
  readonly calibration: CalibrationDocument | null;
  /** Not decided is a result of its own. */
  readonly strict: boolean;
  /** Judge all the same. */
  readonly force: boolean;
}

/** What an address speaks of what arms ask for: null where it does, or nothing asks for it; a text: why not. */
export interface SpokenProtocols {
  readonly host: string;
  /** Where its header `alt-svc` says over TCP that it answers HTTP/3, written as `host` is; null: nowhere. */
  readonly announcedH3: string | null;
  readonly h2: string | null;
  readonly h3: string | null;
}

/** How a discarded trial went. */
export interface WarmUp {
  readonly trial: Pick<PlannedTrial, 'trialId' | 'client' | 'network' | 'server' | 'arm'>;
  /** How far it came: no path to a server, no client that runs, or a client that loads. */
  readonly reached: 'nothing' | 'path' | 'client';
  /** Why it came no further; null where it loaded, or was cut short while it did. */
  readonly fault: string | null;
  /** What the client said of its version; null where none ran. */
  readonly version: string | null;
  /** Folder with what the page of its journey showed when that failed. */
  readonly seenIn?: string | undefined;
  /** Whether it will be so in every trial: this machine cannot do it. */
  readonly isUnsupported: boolean;
}
