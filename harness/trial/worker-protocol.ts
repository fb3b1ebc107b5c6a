import type { ArmProtocol } from '../../src/core/model/protocol.ts';
import type { PathStart } from '../../src/core/model/path-start.ts';
import type { ClientSide } from '../../src/core/model/sides-of-trial.ts';
import type { LiveAccess } from '../../src/core/model/live-access.ts';
import type { Instrumentation } from '../../src/core/model/instrumentation.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import type { ClientFactors, ServerPlace } from '../clients/client-driver.ts';

/**
 * What the runner tells a trial worker, a line of JSON each on its standard input. `order`: make the client ready and wait.
 * `begin`: the trial's turn has come, measure. `held`: the answer to `hold`, with the reason where the client could not be held.
 * `ended`: the page of a session has told the server that it is over. `fetched`: what servers of another machine logged is here.
 * It answers `fetch`.
 */
export type WorkerCommand =
  | { readonly type: 'order'; readonly order: TrialOrder }
  | { readonly type: 'begin' }
  | { readonly type: 'held'; readonly refusal?: string }
  | { readonly type: 'ended' }
  | { readonly type: 'fetched' };

/** One trial. */
export interface TrialOrder {
  readonly trialId: string;
  readonly instrumentation: Instrumentation;
  readonly protocol: ArmProtocol;
  /** Where one is a share of a CPU the worker asks to be held to it when all is ready. */
  readonly factors: ClientFactors;
  readonly client: ClientIdentity;
  readonly workload: PreparedWorkload;
  /** What opens a live address or an app. Secret: the worker leaves it out of every file that it writes. */
  readonly access?: LiveAccess;
  /** Every host name resolves to this address and port; null for live addresses (the machine's own resolver). */
  readonly server: ServerPlace | null;
  readonly spkiHash: string;
  /** As in the client's options. */
  readonly authority?: string;
  /** The worker writes `page.har.gz` and `frames/` here, from `begin` on. */
  readonly trialDir: string;
  /** The profile goes below this folder; the worker removes it. */
  readonly tempDir: string;
  /** Where the worker itself works while the client has its CPUs to itself; null: on the same ones. */
  readonly ownCpus: string | null;
  /** Those that the arm chose for the client; absent: it chose none. */
  readonly clientCpus?: string;
  /** The probes that record, by name. */
  readonly probes: readonly string[];
  readonly headed: boolean;
  /** What the client shows at first. Default: an empty page. */
  readonly startUrl?: string;
  readonly startSignal: PathStart | null;
  /** By which what varies on its path begins. */
  readonly blockSeed: number;
}

/**
 * What a worker writes on its standard output, a line each. `ready`: its modules are loaded, it waits for an
 * order. `hold`: the trial's turn has come, and the client is to be held to its share of a CPU; `held` follows on the
 * worker's standard input. `measured`: what was to be measured is over and read out of the client, what is left is to write it and
 * to clean up. `fetch`: the client has ended, and what servers of another machine logged is to be brought here; `fetched` follows.
 * `done`: artifacts are written. `unwritable`: they cannot be, because there is no room. A worker serves one order and ends; when its standard input
 * ends first it kills its browser, removes the profile and ends.
 */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'hold'; readonly rootPid: number }
  | { readonly type: 'measured' }
  | { readonly type: 'fetch' }
  | { readonly type: 'unwritable'; readonly reason: string }
  | {
      readonly type: 'done';
      /** As the client has it, for it to be compared with what servers say: secrets are left out of both together. */
      readonly raw: ClientSide;
      /** What must be left out of it: what opened the page, and what its script asked for. */
      readonly secrets: readonly string[];
      /** Files and folders below the trial's folder, by the name under which the journal lists them. */
      readonly artifacts: Readonly<Record<string, string>>;
      readonly postProcessMs: number;
      /** Where the time went, from the order on. */
      readonly steps: readonly TrialStep[];
    };

/** A part of a trial's wall time. */
export interface TrialStep {
  readonly name: string;
  readonly durationMs: number;
}
