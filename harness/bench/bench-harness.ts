import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ClientIdentity } from '../clients/client.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { loopback } from '../network/loopback.ts';
import type { RunningNetwork } from '../network/network.ts';
import { networkProviders } from '../network/registry.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import type { RunningServer, ServerProvider } from '../servers/server.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { AddedCostContext } from './added-cost.ts';
import { askedCost } from './asked-cost.ts';
import type { BenchRow } from './bench-row.ts';
import { writeBenchSite } from './bench-site.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { congestionBench } from './congestion-bench.ts';
import { pathBench } from './path-bench.ts';
import { probeCost } from './probe-cost.ts';
import { replayPage, type ReplayPage } from './replay-page.ts';
import { replaySpeed, type ReplaySite } from './replay-speed.ts';
import { scriptCost } from './script-cost.ts';
import { serverHeadroom } from './server-headroom.ts';
import type { Centre } from './turned-rounds.ts';
import { trialOverhead } from './trial-overhead.ts';
import { instrumentationOverhead } from './instrumentation-overhead.ts';

export interface BenchHarnessOptions extends Pick<
  BenchTrialContext,
  'pinning' | 'tempDir' | 'environment' | 'repetitions' | 'signal' | 'progress' | 'postProcess'
> {
  /** As differences between arms are estimated. */
  readonly centreOf: Centre;
  readonly setup: SetupContext;
  readonly certificates: CertificateStore;
  readonly serverProvider: ServerProvider;
  readonly replaySite: ReplaySite;
  /** Prepared only when they are measured, with the first client. */
  readonly replayPages: () => Promise<readonly ReplayPage[]>;
  /** A port that is free for TCP and UDP. */
  readonly port: number;
  /** The overhead of a trial is measured with each, the cost of probes with the first of the Chromium family. */
  readonly clients: readonly ClientIdentity[];
  readonly parts: readonly BenchPart[];
  /** The probes whose cost is measured, by name. Default: every one, and the usual ones together. */
  readonly probeIds?: readonly string[] | undefined;
  /** Trials one after the other, as a run does them, with each client. */
  readonly trialTime: (clients: readonly ClientIdentity[]) => Promise<BenchRow[]>;
  /** What a second machine adds to a trial, with each client. */
  readonly machineTime: (clients: readonly ClientIdentity[]) => Promise<BenchRow[]>;
  /** As `--deterministic` has a browser run it in each document. */
  readonly settlingScript: string;
  /** How long the scripts of a replica work, with a whole CPU and with half of one. */
  readonly replicaWork: (clients: readonly ClientIdentity[]) => Promise<BenchRow[]>;
}

/**
 * What can be measured apart from the rest: the time from trial to trial and its steps; the overhead of trials, probes and server;
 * of these the probes or the server alone; the emulated path; the origin of recorded sites; and, only when asked for by name, what a
 * second machine adds to a trial, what a
 * user's script and a plan's wishes add, what the scripts of a replica take, and what the servers' congestion control does.
 */
export const benchParts = [
  'trial',
  'machines',
  'instrumentation',
  'harness',
  'probes',
  'headroom',
  'path',
  'replay',
  'script',
  'asked',
  'work',
  'congestion',
] as const;
export type BenchPart = (typeof benchParts)[number];

const address = '127.0.0.1';
const bodyBytes = 1_000_000_000;

/**
 * Measures the instrument itself: what a trial costs beyond the page's own time, what the probes add to the load
 * they record, what the server could deliver, and what an emulated path takes. @throws H2h3Error when the server does not start.
 */
export async function benchHarness(options: BenchHarnessOptions): Promise<BenchRow[]> {
  const { parts } = options;
  return [
    ...(parts.includes('trial') ? await options.trialTime(options.clients) : []),
    ...(parts.includes('machines') ? await options.machineTime(options.clients) : []),
    ...(parts.includes('instrumentation')
      ? await onProbeLink(options, 'instrumentation', (context, where) =>
          instrumentationOverhead({ ...context, certificates: options.certificates }, options.clients, where),
        )
      : []),
    ...(parts.includes('harness') || parts.includes('headroom') ? await benchTrials(options) : []),
    ...(parts.includes('harness') || parts.includes('probes') ? await benchProbes(options) : []),
    ...(parts.includes('path') ? await pathBench(options) : []),
    ...(parts.includes('replay') ? await benchReplay(options) : []),
    ...(parts.includes('script') ? await onPlainPage(options, scriptCost) : []),
    ...(parts.includes('asked')
      ? await onPlainPage(options, (context, clients) =>
          askedCost({ ...context, settlingScript: options.settlingScript }, clients),
        )
      : []),
    ...(parts.includes('work') ? await options.replicaWork(options.clients) : []),
    ...(parts.includes('congestion') ? await congestionBench(options) : []),
  ];
}

async function benchTrials(options: BenchHarnessOptions): Promise<BenchRow[]> {
  const { certificates, setup, parts } = options;
  const clients = parts.includes('harness') ? options.clients : [];
  const site = await writeBenchSite(path.join(options.tempDir, 'bench-site'), options.port, bodyBytes);
  const server = await startServer(options, site.roots, 'bench-server');
  try {
    const context: BenchTrialContext = { ...options, server, site, spkiHash: certificates.spkiHash };
    return [...(await trialOverhead(context, clients)), ...(await serverHeadroom(context, setup))];
  } finally {
    await server.stop();
  }
}

/** Over loopback, where no waiting hides what is added. */
async function onPlainPage(
  options: BenchHarnessOptions,
  measure: (context: AddedCostContext, clients: readonly ClientIdentity[]) => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  const { certificates, clients, tempDir } = options;
  const site = await writeBenchSite(path.join(tempDir, 'plain-site'), options.port, 0);
  const server = await startServer(options, site.roots, 'plain-server');
  try {
    const { spkiHash } = certificates;
    return await measure({ ...options, server, site, spkiHash }, clients);
  } finally {
    await server.stop();
  }
}

/** The link over which probes are measured: as fast as can be, so that what they cost is not hidden by waiting. */
const probeNetwork = 'ethernet-1g';

/** Over a link of the client's own where one can be had, else over loopback, where some probes record nothing. */
async function benchProbes(options: BenchHarnessOptions): Promise<BenchRow[]> {
  const probed = options.clients.find(({ family }) => family === 'chromium');
  if (probed === undefined) return [];
  return onProbeLink(options, 'probe', (context, where) =>
    probeCost({ ...context, probeIds: options.probeIds }, probed, where),
  );
}

type LinkBenchContext = BenchTrialContext & Pick<BenchHarnessOptions, 'centreOf'>;

/** What `measure` finds over that link; `where` names the one that it was. */
async function onProbeLink(
  options: BenchHarnessOptions,
  name: string,
  measure: (context: LinkBenchContext, where: string) => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  const { certificates, setup, environment, pinning, tempDir } = options;
  const site = await writeBenchSite(path.join(tempDir, `${name}-site`), options.port, bodyBytes);
  const provider = networkProviders(setup).find(({ id }) => id === probeNetwork) ?? loopback;
  const workDir = path.join(tempDir, `${name}-link`);
  await mkdir(workDir, { recursive: true });
  const start = {
    runId: 'bench',
    workDir,
    environment,
    cpus: pinning.serverCpus,
    tcpCongestionControl: 'reno',
    hosts: site.roots.map(({ host }) => host),
  };
  const network = await provider.start(start).catch((thrown: unknown) => {
    if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return loopback.start(start);
    throw thrown;
  });
  try {
    const server = await startServer(options, site.roots, `${name}-server`, network);
    try {
      const { clientPrefix } = network;
      const context = { ...options, server, site, spkiHash: certificates.spkiHash, clientPrefix };
      return await measure(context, network.description.id);
    } finally {
      await server.stop();
    }
  } finally {
    await network.stop();
  }
}

async function benchReplay(options: BenchHarnessOptions): Promise<BenchRow[]> {
  let started = 0;
  const start = (roots: readonly SiteRoot[]): Promise<RunningServer> =>
    startServer(options, roots, `replay-server-${++started}`);
  const server = await start(options.replaySite.roots);
  const rows: BenchRow[] = [];
  try {
    rows.push(...(await replaySpeed({ ...options, server }, options.replaySite)));
  } finally {
    await server.stop();
  }
  const [client] = options.clients;
  if (!client) return rows;
  const context = { ...options, spkiHash: options.certificates.spkiHash, startServer: start };
  for (const page of await options.replayPages()) rows.push(...(await replayPage(context, client, page)));
  return rows;
}

async function startServer(
  { serverProvider, certificates, environment, pinning, port, tempDir }: BenchHarnessOptions,
  roots: readonly SiteRoot[],
  folder: string,
  place: Pick<RunningNetwork, 'serverAddress' | 'serverPrefix'> = {
    serverAddress: address,
    serverPrefix: [],
  },
): Promise<RunningServer> {
  const workDir = path.join(tempDir, folder);
  await mkdir(workDir, { recursive: true });
  return serverProvider.start({
    roots,
    address: place.serverAddress,
    port,
    certificates,
    workDir,
    environment,
    launchPrefix: [...place.serverPrefix, ...pinPrefix(pinning.serverCpus)],
  });
}
