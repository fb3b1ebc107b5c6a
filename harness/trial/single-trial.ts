import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { ServerPlace } from '../clients/client-driver.ts';
import type { Pinning } from '../testbed/pinning.ts';
import { startWorker, type DoneMessage } from './worker-process.ts';
import type { TrialOrder } from './worker-protocol.ts';

/** Where one trial that belongs to no run happens: a server that is up, and where to put things. */
export interface SingleTrialPlace {
  readonly server: Required<Omit<ServerPlace, 'qlogDir' | 'logsElsewhere' | 'resolver'>>;
  readonly spkiHash: string;
  readonly pinning: Pinning;
  /** Words before a command of the client's end, where that is a namespace. */
  readonly clientPrefix?: readonly string[];
  readonly tempDir: string;
  /** Environment of every process (carries the marker by which the reaper finds them). */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface SingleTrialOrder extends Pick<
  TrialOrder,
  'client' | 'workload' | 'protocol' | 'probes' | 'instrumentation' | 'startUrl' | 'access'
> {
  /** What comes after it, while its files are there. Counts as part of its wall time. */
  readonly postProcess?: (done: DoneMessage, trialDir: string) => Promise<unknown>;
}

export interface SingleTrial {
  readonly done: DoneMessage;
  /** Order given to everything done, `postProcess` included. */
  readonly wallMs: number;
}

/** One trial in a worker that has loaded its modules before, as in a run. @throws H2h3Error when it is not completed. */
export async function singleTrial(
  place: SingleTrialPlace,
  { postProcess, ...order }: SingleTrialOrder,
): Promise<SingleTrial> {
  const { server, spkiHash, pinning, clientPrefix = [], environment, signal } = place;
  const { client, protocol, workload } = order;
  signal.throwIfAborted();
  const trialDir = path.join(place.tempDir, 'single-trial');
  // Short, for a browser's own temporary files to lie below it: see `temporaryFolderIn`.
  const tempDir = path.join(place.tempDir, 'temp');
  await mkdir(tempDir, { recursive: true });
  const prefix = [...clientPrefix, ...pinPrefix(pinning.browserCpus)];
  const worker = startWorker({ prefix, family: client.family }, environment);
  const end = (): void => void worker.end();
  signal.addEventListener('abort', end);
  try {
    await worker.ready;
    const startMs = performance.now();
    worker.prepare({
      ...order,
      trialId: 'single',
      factors: {},
      ownCpus: pinning.serverCpus,
      server: { address: server.address, port: server.port, pid: server.pid },
      spkiHash,
      trialDir,
      tempDir,
      headed: false,
      startSignal: null,
      blockSeed: 0,
    });
    const done = await worker.begin(2 * workload.deadlineMs, { measured: () => undefined });
    await postProcess?.(done, trialDir);
    const wallMs = performance.now() - startMs;
    const { outcome, error } = done.raw;
    if (outcome !== 'completed')
      throw new H2h3Error('process-failed', `a single trial failed: ${error?.message ?? 'no reason'}`, {
        context: { client: client.id, protocol, stderrTail: error?.stderrTail ?? '' },
      });
    return { done, wallMs };
  } finally {
    signal.removeEventListener('abort', end);
    await worker.end();
    for (const folder of [trialDir, tempDir])
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
