import type { Har } from '../../src/core/model/har.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';
import type { ProcessRow } from '../../src/core/system/processes/process-table.ts';
import type { CapturedFrame, ClientLaunchOptions, ClientLog } from '../clients/client-driver.ts';

/** What a client is started with for the sake of a probe. */
export interface LaunchDemand extends Partial<Pick<ClientLaunchOptions, 'frames'>> {
  /** What the client itself is to write, into a folder that is removed with its profile. */
  readonly logs?: readonly ClientLog[];
}

/** What a probe knows of the trial it records; the client runs already, and nothing is measured yet. */
export interface ProbeContext {
  /** The first of the client's processes. */
  readonly rootPid: number;
  /** Of a client on another machine: its processes there. */
  readonly processes?: (() => Promise<readonly ProcessRow[]>) | undefined;
  /** Files of the probe go here; it exists. */
  readonly trialDir: string;
  /** An empty place of the trial's own, removed after it. */
  readonly tempDir: string;
  /** What a process of the client does, by its command line; null: processes that have ended. */
  readonly processRole: (commandLine: string | null) => string;
  /** How the client was started. */
  readonly launch: ClientLaunchOptions;
  /** What the workload begins with. */
  readonly url: string;
}

/** What the client itself recorded, read out when it has ended; null and empty where it came to nothing. */
export interface ClientRecording {
  readonly buildHar: (() => Promise<Har>) | null;
  readonly frames: readonly CapturedFrame[] | null;
  /** Leaves out of what others recorded what opens the page; a probe that keeps requests or answers writes no other. */
  readonly clean: <T>(value: T) => T;
}

/** What a probe leaves of one trial. */
export interface ProbeYield {
  /** Parts of the trial's evidence that this probe provides. */
  readonly raw?: Partial<Pick<RawTrial, 'cpu' | 'frames' | 'activity'>>;
  /** Named numbers, each ending in its unit where it has one. */
  readonly counters?: Readonly<Record<string, number>>;
  /** Files and folders below the trial's folder, by the name under which the journal lists them. */
  readonly artifacts?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/**
 * One probe in one trial, from `setup` on. Between `start` and `stop` nothing is parsed and no file is written by it;
 * `stop` keeps what was seen, `teardown` (the client has ended by then) makes of it what the probe leaves.
 */
export interface ProbeSession {
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
  teardown(recording: ClientRecording): Promise<ProbeYield> | ProbeYield;
}

/** Something that records during a trial. One file each, and one line in the registry. */
export interface Probe {
  readonly id: string;
  /** What it records, for people; a line of `describe probes`. */
  readonly title: string;
  /** `always`: the proof of the protocol rests on it; `usually`: in plans that name none of these; `asked`: by its name only. */
  readonly recorded: 'always' | 'usually' | 'asked';
  /** True: it reads from outside the client, so that it may run in timed trials too. */
  readonly inTimed: boolean;
  /** True: to make it ready takes more than to note where things stand, so that the client is let come to rest again. */
  readonly disturbs?: true;
  /** Kinds of workload that it records of; absent: all. */
  readonly kinds?: readonly WorkloadKind[];
  /** True: its teardown loads the network and the machine again, so that nothing else may be prepared meanwhile. */
  readonly measuresAgain?: boolean;
  /** True: the CPU time of the client is known from it, so that it runs with every probe whose cost in CPU time is measured. */
  readonly accountsCpu?: boolean;
  /** True: it reads processes, files or sockets of a client on this machine. */
  readonly onThisMachine?: boolean;
  /** True: what it keeps has requests and answers as they went over the wire, or the keys to them: log-ins would be in there. */
  readonly keepsTraffic?: boolean;
  /** True: it is recorded by diagnosis runs. */
  readonly forDiagnosis?: boolean;
  /** Counters that metrics are made of, if any. */
  readonly counts?: readonly string[];
  /** What the client must be started with. */
  readonly launch?: LaunchDemand;
  /** @throws H2h3Error `unsupported` where this machine or this client has not what it takes; the trial goes on without. */
  setup(context: ProbeContext): Promise<ProbeSession> | ProbeSession;
}
