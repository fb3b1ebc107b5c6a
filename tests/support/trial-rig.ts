import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { selectProbes } from '../../harness/probes/selection.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import type { TrialOrder, WorkerCommand, WorkerMessage } from '../../harness/trial/worker-protocol.ts';
import type { Har } from '../../src/core/model/har.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import { workerMarkerVariable } from '../../src/core/system/processes/marked-processes.ts';
import { testEnvironment } from './test-scope.ts';

export type Done = Extract<WorkerMessage, { type: 'done' }>;

export interface OrderParts {
  readonly folder: string;
  readonly client: ClientIdentity;
  readonly server: Pick<RunningServer, 'address' | 'port'>;
  readonly spkiHash: string;
  /** Default: those of the workload. */
  readonly roots?: readonly SiteRoot[];
  /** Whose `/` is loaded, where the workload does not say. */
  readonly host?: string;
  readonly changes?: Partial<Omit<TrialOrder, 'workload'>>;
  readonly workload?: Partial<TrialOrder['workload']>;
}

/** An order for one trial of `https://host/` over h2, changed as asked for. */
export function trialOrder(parts: OrderParts): TrialOrder {
  const { folder, client, server, spkiHash, roots = [], host = '' } = parts;
  return {
    trialId: 'trial',
    instrumentation: 'instrumented',
    protocol: 'h2',
    factors: {},
    ownCpus: null,
    client,
    server: { address: server.address, port: server.port },
    spkiHash,
    trialDir: path.join(folder, 'trial'),
    tempDir: path.join(folder, 'temp'),
    probes: selectProbes('page', [], 'instrumented').map(({ id }) => id),
    headed: false,
    startSignal: null,
    blockSeed: 0,
    ...parts.changes,
    workload: {
      id: 'test-page',
      kind: 'page',
      title: 'test page',
      roots: [...roots],
      entry: { host, path: '/' },
      driver: 'load',
      quietMs: 300,
      deadlineMs: 60_000,
      loggedHosts: [],
      mediaBufferMegabytes: 0,
      facts: { source: 'test' },
      ...parts.workload,
    },
  };
}

export interface StartedWorker {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it said so far, in order. */
  readonly said: readonly WorkerMessage[];
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** Starts a trial worker behind these words of a command line, gives it the order, and has it begin. */
export function startTrialWorker(order: TrialOrder, prefix: readonly string[] = []): StartedWorker {
  mkdirSync(order.tempDir, { recursive: true });
  const script = path.resolve(import.meta.dirname, '../../harness/trial/trial-worker.ts');
  const env = { ...process.env, ...testEnvironment(), [workerMarkerVariable]: randomUUID() };
  const [program, ...words] = [...prefix, process.execPath, script, order.client.family] as const;
  const child = spawn(program ?? process.execPath, words, { detached: true, env });
  child.stderr.resume();
  const said: WorkerMessage[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as WorkerMessage));
  const commands: readonly WorkerCommand[] = [{ type: 'order', order }, { type: 'begin' }];
  commands.forEach((command) => child.stdin.write(`${JSON.stringify(command)}\n`));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { process: child, said, ended };
}

/** Runs one trial to its end. */
export async function runTrialWorker(
  order: TrialOrder,
): Promise<{ readonly done: Done; readonly har: Har | null }> {
  const worker = startTrialWorker(order);
  await worker.ended;
  const done = worker.said.find((message) => message.type === 'done');
  if (done === undefined) throw new Error(`the worker said only ${JSON.stringify(worker.said)}`);
  const file = path.join(order.trialDir, 'page.har.gz');
  const har = existsSync(file) ? (JSON.parse(gunzipSync(readFileSync(file)).toString()) as Har) : null;
  return { done, har };
}

/** `host` + path with query of each object of a HAR. */
export function objectsOf(har: Har | null): string[] {
  return (har?.log.entries ?? []).map(({ request }) => {
    const url = new URL(request.url);
    return url.hostname + url.pathname + url.search;
  });
}
