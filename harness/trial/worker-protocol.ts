import type { ArmProtocol } from '../../src/model/protocol.ts';
import type { RawTrial } from '../../src/model/raw-trial.ts';
import type { PreparedWorkload } from '../../src/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';

/** What the runner asks of a trial worker: one line of JSON on its standard input. */
export interface TrialOrder {
  readonly trialId: string;
  readonly protocol: ArmProtocol;
  /** Words of the factor `flags`. */
  readonly flags: readonly string[];
  /** Whether the client is held to a share of a CPU: the worker then asks for it when all is ready. */
  readonly sharesCpu: boolean;
  readonly client: ClientIdentity;
  readonly workload: PreparedWorkload;
  /** Every host name resolves to this address and port; null for live addresses (the machine's own resolver). */
  readonly server: { readonly address: string; readonly port: number; readonly pid?: number } | null;
  readonly spkiHash: string;
  /** The worker writes `page.har.gz` and `frames/` here. */
  readonly trialDir: string;
  /** The profile goes below this folder; the worker removes it. */
  readonly tempDir: string;
  /** The probes that record, by name. */
  readonly probes: readonly string[];
  readonly headed: boolean;
  readonly startSignal: { readonly socketPath: string; readonly line: string } | null;
}

/** The runner's answer to `hold`: nothing, or why the client could not be held. */
export interface HoldAnswer {
  readonly refusal?: string;
}

/**
 * What a worker writes on its standard output, a line each. `ready`: its modules are loaded, it waits for an
 * order. `hold`: the client runs and is to be held to its share of a CPU now; a line of `HoldAnswer` follows on the worker's
 * standard input. `measured`: what was to be measured is over, what is left is to read it out and to clean up. `done`: artifacts are
 * written. `unwritable`: they cannot be, because there is no room. A worker serves one order and ends; when its standard input
 * ends first it kills its browser, removes the profile and ends.
 */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'hold'; readonly rootPid: number }
  | { readonly type: 'measured' }
  | { readonly type: 'unwritable'; readonly reason: string }
  | {
      readonly type: 'done';
      readonly raw: Omit<RawTrial, 'serverLog'>;
      /** Files and folders below the trial's folder, by the name under which the journal lists them. */
      readonly artifacts: Readonly<Record<string, string>>;
      readonly postProcessMs: number;
    };
