import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { ArmProtocol } from '../../src/model/protocol.ts';
import type { Watch } from '../../src/model/watch.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { pinPrefix } from '../../src/system/processes/cpu-affinity.ts';
import type { Pinning } from '../testbed/pinning.ts';
import type { RunningServer } from '../servers/server.ts';
import { startWorker, type DoneMessage } from '../trial/worker-process.ts';
import type { TrialOrder } from '../trial/worker-protocol.ts';
import type { BenchSite } from './bench-site.ts';

/** What every bench of trials needs: a server that is up, and where to put things. */
export interface BenchTrialContext {
  readonly server: RunningServer;
  readonly site: BenchSite;
  readonly spkiHash: string;
  readonly pinning: Pinning;
  /** Words before a command of the client's end, where that is a namespace. */
  readonly clientPrefix?: readonly string[];
  readonly tempDir: string;
  /** Environment of every process of the bench (carries the marker by which the reaper finds them). */
  readonly environment: Readonly<Record<string, string>>;
  readonly repetitions: number;
  readonly signal: AbortSignal;
  readonly progress: (detail: string) => void;
  /** What comes after a trial before it is journalled: metrics and Speed Index. Timed as part of a trial's cost. */
  readonly postProcess: (done: DoneMessage, trialDir: string) => Promise<unknown>;
}

export interface BenchTrial {
  readonly done: DoneMessage;
  /** Order given to everything done, metrics included. */
  readonly wallMs: number;
}

export interface BenchTrialOptions {
  readonly protocol: ArmProtocol;
  readonly probes: readonly string[];
  readonly watch: Watch;
  /** What the client shows at first. Default: an empty page. */
  readonly startUrl?: string;
  /** What else the order says. Default: nothing. */
  readonly order?: Pick<TrialOrder, 'access'>;
}

/** One trial in a worker that has loaded its modules before, as in a run. @throws H2h3Error when it is not completed. */
export async function benchTrial(
  context: Omit<BenchTrialContext, 'site'> & { readonly site: Pick<BenchSite, 'workload'> },
  client: ClientIdentity,
  { protocol, probes, watch, startUrl, order: asked = {} }: BenchTrialOptions,
): Promise<BenchTrial> {
  context.signal.throwIfAborted();
  const { server, site, spkiHash, pinning, environment } = context;
  const trialDir = path.join(context.tempDir, 'bench-trial');
  const tempDir = path.join(context.tempDir, 'bench-temp');
  await mkdir(tempDir, { recursive: true });
  const worker = startWorker(
    {
      prefix: [...(context.clientPrefix ?? []), ...pinPrefix(pinning.browserCpus)],
      family: client.family,
    },
    environment,
  );
  const end = (): void => void worker.end();
  context.signal.addEventListener('abort', end);
  try {
    await worker.ready;
    const order: TrialOrder = {
      trialId: 'bench',
      watch,
      protocol,
      ...(startUrl === undefined ? {} : { startUrl }),
      ...asked,
      factors: {},
      ownCpus: pinning.serverCpus,
      client,
      workload: site.workload,
      server: { address: server.address, port: server.port, pid: server.pid },
      spkiHash,
      trialDir,
      tempDir,
      probes,
      headed: false,
      startSignal: null,
    };
    const startMs = performance.now();
    worker.prepare(order);
    const done = await worker.begin(2 * site.workload.deadlineMs, { measured: () => undefined });
    await context.postProcess(done, trialDir);
    const wallMs = performance.now() - startMs;
    const { outcome, error } = done.raw;
    if (outcome !== 'completed')
      throw new H2h3Error('process-failed', `a bench trial failed: ${error?.message ?? 'no reason'}`, {
        context: { client: client.id, protocol, stderrTail: error?.stderrTail ?? '' },
      });
    return { done, wallMs };
  } finally {
    context.signal.removeEventListener('abort', end);
    await worker.end();
    for (const folder of [trialDir, tempDir])
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
