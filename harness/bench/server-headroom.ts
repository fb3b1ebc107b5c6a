import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { CommandClient } from '../clients/commands/command-client.ts';
import { h2load } from '../clients/commands/h2load.ts';
import { quicGo } from '../clients/commands/quic-go.ts';
import { cpuBetween, cpuSnapshot } from '../../src/core/system/processes/process-cpu.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { benchRow, rowsOrReason, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { downloadLightly } from './light-client.ts';

const group = 'server headroom';
const bitsPerGigabit = 1e9;

/** Clients that cost next to nothing: h2load least of all, but over HTTP/2 alone; quic-go the same over both. */
const flows = [
  { client: h2load, protocol: 'h2' },
  { client: quicGo, protocol: 'h2' },
  { client: quicGo, protocol: 'h3' },
] as const;

interface Flow {
  readonly client: CommandClient;
  readonly protocol: 'h2' | 'h3';
}

/** How fast the server is with clients that cost next to nothing, and how much of a core each gigabit takes of it. */
export async function serverHeadroom(context: BenchTrialContext, setup: SetupContext): Promise<BenchRow[]> {
  const { name, version } = context.server.description;
  const rows: BenchRow[] = [];
  for (const flow of flows) {
    const subject = `${name} ${version}, ${flow.protocol} to ${flow.client.title}`;
    const missing = { group, subject, unit: 'Gbit/s', quantity: 'rate' } as const;
    const measure = (): Promise<BenchRow[]> => headroomOf(flow, context, setup, subject);
    rows.push(...(await rowsOrReason(missing, context.signal, measure)));
  }
  return rows;
}

async function headroomOf(
  { client, protocol }: Flow,
  context: BenchTrialContext,
  setup: SetupContext,
  subject: string,
): Promise<BenchRow[]> {
  const { server, site, pinning, tempDir, spkiHash } = context;
  const file = (await client.tool?.ensure(setup)) ?? client.id;
  const rates: number[] = [];
  const perCore: number[] = [];
  for (let round = 0; round < context.repetitions; round++) {
    context.progress(`${subject}, ${round + 1} of ${context.repetitions}`);
    const before = cpuSnapshot(server.pid);
    const { bytes, seconds } = await downloadLightly(setup, {
      client,
      file,
      protocol,
      server,
      spkiHash,
      url: `https://${site.body.host}:${server.port}${site.body.path}`,
      prefix: pinPrefix(pinning.browserCpus),
      scratchDir: await mkdtemp(path.join(tempDir, 'headroom-')),
    });
    const gigabits = (bytes * 8) / bitsPerGigabit;
    const cpu = cpuBetween(before, cpuSnapshot(server.pid), () => 'server');
    const cpuSeconds = cpu.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0);
    rates.push(gigabits / seconds);
    if (cpuSeconds > 0) perCore.push(gigabits / cpuSeconds);
  }
  return [
    benchRow({ group, subject, quantity: 'rate', unit: 'Gbit/s', values: rates }),
    benchRow({ group, subject, quantity: 'per core of the server', unit: 'Gbit/s', values: perCore }),
  ];
}
