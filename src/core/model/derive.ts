import type { ExpectedLoad } from './expected-load.ts';
import type { Har } from './har.ts';
import type { TrialMetrics } from './metrics.ts';
import type { PathFacts } from './network-spec.ts';
import type { ArmProtocol } from './protocol.ts';
import type { RawTrial } from './raw-trial.ts';
import type { ReasonCode } from './reasons.ts';
import type { TrialRecord, TrialStatus } from './record.ts';
import type { PreparedWorkload } from './workload.ts';

/** All that metrics and validity are derived from; the same whether just measured or read back from a run directory. */
export interface TrialEvidence {
  readonly protocol: ArmProtocol;
  readonly workload: Pick<
    PreparedWorkload,
    | 'id'
    | 'kind'
    | 'driver'
    | 'entry'
    | 'loggedHosts'
    | 'replay'
    | 'live'
    | 'app'
    | 'view'
    | 'vmaf'
    | 'pictures'
    | 'upload'
  >;
  readonly raw: RawTrial;
  /** Absent where the path is not ours. */
  readonly path?: PathFacts | undefined;
  /** What earlier loads of the same page by the same arm had; absent where none is known. */
  readonly expected?: ExpectedLoad | undefined;
  readonly har: Har | null;
  /** JPEG bytes of the frames named in `raw.frames`, in that order; empty where there are none. */
  readonly frameImages: readonly Uint8Array[];
}

export interface DerivedTrial {
  readonly status: TrialStatus;
  readonly reason?: string;
  readonly reasonCode?: ReasonCode;
  /** As `TrialRecord` has them. */
  readonly otherReasonCodes?: readonly ReasonCode[];
  readonly metrics: TrialMetrics;
  /** Of journeys only. */
  readonly steps?: NonNullable<TrialRecord['steps']>;
  readonly warnings: readonly string[];
}

/** From evidence to metrics and status: pure. */
export type DeriveTrial = (evidence: TrialEvidence) => Promise<DerivedTrial> | DerivedTrial;
