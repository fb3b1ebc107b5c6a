import { messageOf } from '../../src/model/errors.ts';
import { pinPrefix } from '../../src/system/processes/cpu-affinity.ts';
import { cpuBetween, cpuSnapshot } from '../probes/process-cpu.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { downloadLightly, ensureLightClient } from './light-client.ts';

const group = 'server headroom';
const bitsPerGigabit = 1e9;

/** How fast the server is with a client that costs next to nothing, and how much of a core each gigabit takes of it. */
export async function serverHeadroom(context: BenchTrialContext, setup: SetupContext): Promise<BenchRow[]> {
  const { description } = context.server;
  const subject = (protocol: string): string => `${description.name} ${description.version}, ${protocol}`;
  try {
    const file = await ensureLightClient(setup);
    const rows: BenchRow[] = [];
    for (const protocol of ['h2', 'h3'] as const)
      rows.push(...(await headroomOver({ context, setup, file, protocol, subject: subject(protocol) })));
    return rows;
  } catch (thrown) {
    context.signal.throwIfAborted();
    const missing = { group, subject: subject('h2 and h3'), unit: 'Gbit/s', values: [] } as const;
    return [benchRow({ ...missing, quantity: 'rate', note: messageOf(thrown) })];
  }
}

interface HeadroomOverOptions {
  readonly context: BenchTrialContext;
  readonly setup: SetupContext;
  readonly file: string;
  readonly protocol: 'h2' | 'h3';
  readonly subject: string;
}

async function headroomOver({
  context,
  setup,
  file,
  protocol,
  subject,
}: HeadroomOverOptions): Promise<BenchRow[]> {
  const { server, site, pinning } = context;
  const rates: number[] = [];
  const perCore: number[] = [];
  for (let round = 0; round < context.repetitions; round++) {
    context.progress(`${subject}, ${round + 1} of ${context.repetitions}`);
    const before = cpuSnapshot(server.pid);
    const { bytes, seconds } = await downloadLightly(setup, {
      file,
      protocol,
      url: `https://${site.body.host}:${server.port}${site.body.path}`,
      server,
      spkiHash: context.spkiHash,
      prefix: pinPrefix(pinning.browserCpus),
    });
    const gigabits = (bytes * 8) / bitsPerGigabit;
    const cpu = cpuBetween(before, cpuSnapshot(server.pid), () => 'server');
    const cpuSeconds = cpu.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0);
    rates.push(gigabits / seconds);
    if (cpuSeconds > 0) perCore.push(gigabits / cpuSeconds);
  }
  return [
    benchRow({ group, subject, quantity: 'rate to a light client', unit: 'Gbit/s', values: rates }),
    benchRow({ group, subject, quantity: 'per core of the server', unit: 'Gbit/s', values: perCore }),
  ];
}
