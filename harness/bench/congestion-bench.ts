import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { networkSpecSchema } from '../../src/core/model/network-spec.ts';
import type { RunningNetwork } from '../network/network.ts';
import { shapedNetwork } from '../network/shaped-network.ts';
import { serverSoftware } from '../servers/registry.ts';
import { serverProvider } from '../servers/server-kit.ts';
import type { ServerSoftware } from '../servers/server-software.ts';
import { requireCongestion } from '../testbed/congestion-match.ts';
import type { RunningServer } from '../servers/server.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { openStartSignal } from '../trial/start-signal.ts';
import { downloadLightly, ensureLightClient } from './light-client.ts';
import { lossResponse } from './loss-response.ts';

const group = 'congestion control';
const host = 'congestion.bench.test';
const bodyBytes = 4_000_000;
const rateMbps = 20;
const delayMs = 20;
const lossPercent = 1;
/** Algorithms that Linux may have, the one that every kernel has first. */
const tcpAlgorithms = ['reno', 'cubic', 'bbr'] as const;

/** One flow on a link of known rate and loss: what a sender does there says what it is, whatever it calls itself. */
const network = networkSpecSchema.parse({
  id: 'congestion-bench',
  title: `${rateMbps} Mbit/s, ${2 * delayMs} ms round trip, ${lossPercent} % loss towards the client`,
  source: 'the bench of congestion control',
  up: { rateMbps, queueBytes: 200_000, delayMs },
  down: { rateMbps, queueBytes: 200_000, delayMs, lossPercent },
});

export type CongestionBenchContext = Pick<
  BenchTrialContext,
  'pinning' | 'tempDir' | 'environment' | 'repetitions' | 'signal' | 'progress'
> & { readonly setup: SetupContext; readonly certificates: CertificateStore; readonly port: number };

interface Rig {
  readonly context: CongestionBenchContext;
  readonly link: RunningNetwork;
  readonly client: string;
  readonly directory: string;
}

/** How each server's TCP and QUIC answer to random loss, with every algorithm that they offer. */
export async function congestionBench(context: CongestionBenchContext): Promise<BenchRow[]> {
  const { tempDir, environment, pinning, setup } = context;
  const client = await ensureLightClient(setup);
  const directory = path.join(tempDir, 'congestion-bench');
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, 'body.bin'), Buffer.alloc(bodyBytes, 1));
  const options = { runId: 'bench', workDir: directory, hosts: [host], environment };
  const link = await shapedNetwork(network, setup).start({
    ...options,
    tcpCongestionControl: null,
    cpus: pinning.serverCpus,
  });
  try {
    const rig = { context, link, client, directory };
    const rows: BenchRow[] = [];
    for (const [index, software] of serverSoftware.entries()) {
      // The kernel does TCP for all of them alike: one server is enough for it.
      if (index === 0)
        for (const algorithm of tcpAlgorithms) rows.push(await measured(rig, software, algorithm, 'h2'));
      for (const algorithm of software.quicCongestionControls)
        rows.push(await measured(rig, software, algorithm, 'h3'));
    }
    return rows;
  } finally {
    await link.stop();
  }
}

async function measured(
  rig: Rig,
  software: ServerSoftware,
  congestion: string,
  protocol: 'h2' | 'h3',
): Promise<BenchRow> {
  const { context } = rig;
  const transport = protocol === 'h2' ? "the kernel's TCP" : `${software.name}'s QUIC`;
  const row = {
    group,
    subject: `${transport}, ${congestion}`,
    quantity: 'rate at 1 % loss',
    unit: 'Mbit/s',
  } as const;
  try {
    const server = await startServer(rig, software, congestion);
    try {
      requireCongestion({ proxies: [], server: server.description }, [congestion], protocol);
      const rates: number[] = [];
      for (let round = 0; round < context.repetitions; round++) {
        context.progress(`${row.subject}, ${round + 1} of ${context.repetitions}`);
        rates.push(await rateOf(rig, server, protocol, round));
      }
      const { version } = server.description;
      const about = benchRow({ ...row, values: rates });
      const response = lossResponse(about.value ?? 0, { rateMbps, roundTripMs: 2 * delayMs, lossPercent });
      return { ...about, note: `${software.name} ${version}: ${response.words}` };
    } finally {
      await server.stop();
    }
  } catch (thrown) {
    context.signal.throwIfAborted();
    const said = thrown instanceof H2h3Error ? (thrown.context.stderrTail ?? '') : '';
    const last = said.trim().split('\n').at(-1) ?? '';
    return benchRow({
      ...row,
      values: [],
      note: [messageOf(thrown), last].filter((text) => text !== '').join(': '),
    });
  }
}

async function startServer(
  { context, link, directory }: Rig,
  software: ServerSoftware,
  congestion: string,
): Promise<RunningServer> {
  const { setup, certificates, port, environment, pinning } = context;
  const workDir = path.join(directory, `${software.id}-${congestion}-${Date.now()}`);
  await mkdir(workDir, { recursive: true });
  return serverProvider(software, setup).start({
    certificates,
    port,
    workDir,
    environment,
    congestion,
    roots: [{ host, directory }],
    address: link.serverAddress,
    launchPrefix: [...link.serverPrefix, ...pinPrefix(pinning.serverCpus)],
  });
}

async function beginAnew(link: RunningNetwork, seed: number): Promise<void> {
  const signal = await openStartSignal(link.startSignal(seed));
  signal.send();
  signal.close();
}

/** Every sender meets the same losses: the path's random numbers begin anew for each round. */
async function rateOf(
  { context, link, client }: Rig,
  server: RunningServer,
  protocol: 'h2' | 'h3',
  round: number,
): Promise<number> {
  await beginAnew(link, round + 1);
  const { bytes, seconds } = await downloadLightly(context.setup, {
    file: client,
    protocol,
    scratchDir: context.tempDir,
    url: `https://${host}:${server.port}/body.bin`,
    server,
    spkiHash: context.certificates.spkiHash,
    prefix: [...link.clientPrefix, ...pinPrefix(context.pinning.browserCpus)],
  });
  return (bytes * 8) / 1e6 / seconds;
}
