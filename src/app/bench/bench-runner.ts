import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchHarnessOptions } from '../../../harness/bench/bench-harness.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import type { NetworkProvider } from '../../../harness/network/network.ts';
import { selectProbes } from '../../../harness/probes/selection.ts';
import type { ServerProvider } from '../../../harness/servers/server.ts';
import { Testbeds } from '../../../harness/testbed/testbed.ts';
import { Runner, type RunnerOptions } from '../../../harness/trial/runner.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { Instrumentation } from '../../core/model/instrumentation.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import type { CpuShare } from '../../core/system/processes/cpu-share.ts';

/** What a bench of whole trials is given. */
export type RunnerBenchOptions = Pick<
  BenchHarnessOptions,
  | 'setup'
  | 'certificates'
  | 'serverProvider'
  | 'pinning'
  | 'port'
  | 'tempDir'
  | 'environment'
  | 'repetitions'
  | 'signal'
  | 'progress'
>;

/** A way to a server, and what starts it at its end. */
export interface BenchPlace {
  readonly network: NetworkProvider;
  readonly server: ServerProvider;
  /** Of a client on another machine: what starts it there, and what it is there. Absent: it is here. */
  readonly clientThere?: {
    readonly machine: NonNullable<RunnerOptions['clientMachine']>;
    readonly client: ClientIdentity;
  };
}

export interface RunnerBench {
  readonly client: ClientIdentity;
  readonly workload: PreparedWorkload;
  /** Each trial has a folder of its id's name below it. */
  readonly runDir: string;
  /** Where the server is, and how it is reached. Default: here, over loopback. */
  readonly place?: BenchPlace;
  /** By the value of the factor `cpu`. Default: none. */
  readonly cpuShares?: ReadonlyMap<number, CpuShare>;
}

/** Has trials of one page in one client over loopback run as a run does them. */
export async function withRunner<Result>(
  options: RunnerBenchOptions,
  { client, workload, runDir, cpuShares = new Map(), place }: RunnerBench,
  use: (runner: Runner) => Promise<Result>,
): Promise<Result> {
  const { network, server, clientThere }: BenchPlace = place ?? {
    network: loopback,
    server: options.serverProvider,
  };
  const testbeds = testbedsOf(options, workload, { network, server });
  const { certificates, pinning, tempDir, environment, signal } = options;
  const trialDir = (trialId: string): string => join(runDir, trialId);
  const runner = new Runner({
    testbeds,
    trialDir,
    pinning,
    tempDir,
    environment,
    signal,
    cpuShares,
    workloads: new Map([[workload.id, workload]]),
    contentOf: () => workload.id,
    clients: new Map([[client.id, clientThere?.client ?? client]]),
    ...(clientThere === undefined ? {} : { clientMachine: clientThere.machine }),
    networkOf: () => network.id,
    trustOf: () => ({ spkiHash: certificates.spkiHash }),
    clearTrialDir: (trialId) => {
      rmSync(trialDir(trialId), { recursive: true, force: true });
      mkdirSync(trialDir(trialId), { recursive: true });
    },
    probesOf: ({ instrumentation }, kind) => selectProbes(kind, [], instrumentation),
    headed: false,
  });
  try {
    return await use(runner);
  } finally {
    await runner.close();
    await testbeds.stop();
  }
}

function testbedsOf(
  options: RunnerBenchOptions,
  { roots }: PreparedWorkload,
  { network, server }: BenchPlace,
): Testbeds {
  const { certificates, pinning, port, tempDir, environment } = options;
  return new Testbeds({
    certificates,
    pinning,
    port,
    tempDir,
    environment,
    roots,
    networks: new Map([[network.id, network]]),
    servers: new Map([[server.id, server]]),
    runId: 'bench',
    tcpCongestionControl: null,
    allowCongestionMismatch: true,
  });
}

interface BenchTrialParts extends Pick<RunnerBench, 'client' | 'workload'> {
  /** Id of the server. */
  readonly server: string;
  readonly factors: PlannedTrial['factors'] & { readonly protocol: ArmProtocol };
  readonly instrumentation: Instrumentation;
}

/** The trial of this number. */
export function plannedTrial(
  index: number,
  { client, workload, server, factors, instrumentation }: BenchTrialParts,
): PlannedTrial {
  return {
    trialId: `trial-${index}`,
    conditionId: 'bench',
    blockIndex: index,
    arm: factors.protocol,
    workload: workload.id,
    client: client.id,
    network: loopback.id,
    server,
    factors,
    blockSeed: index,
    instrumentation,
  };
}
