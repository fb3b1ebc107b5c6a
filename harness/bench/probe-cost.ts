import { messageOf } from '../../src/model/errors.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import { benchTrial, type BenchTrialContext } from './bench-trials.ts';

const group = 'probe cost';

/** Sets of probes that are compared with none at all. CPU time is read in all of them: before and after only. */
const variants: Readonly<Record<string, readonly string[]>> = {
  none: ['no-har', 'no-frames'],
  'network events': ['no-frames'],
  frames: ['no-har'],
  'network events and frames': [],
};

interface Sample {
  readonly loadMs: number;
  readonly cpuMs: number;
}

/**
 * What each probe adds to the load time and to the CPU time of the browser. In every round each variant runs
 * once, in an order that turns from round to round; differences are within rounds.
 */
export async function probeCost(context: BenchTrialContext, client: ClientIdentity): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const protocol of ['h2', 'h3'] as const) {
    const subject = `${client.id}, ${protocol}`;
    try {
      rows.push(...(await costOver(context, client, protocol, subject)));
    } catch (thrown) {
      context.signal.throwIfAborted();
      const missing = { group, subject, quantity: 'cost of probes', unit: 'ms', values: [] } as const;
      rows.push(benchRow({ ...missing, note: messageOf(thrown) }));
    }
  }
  return rows;
}

async function costOver(
  context: BenchTrialContext,
  client: ClientIdentity,
  protocol: 'h2' | 'h3',
  subject: string,
): Promise<BenchRow[]> {
  const samples = new Map<string, Sample[]>(Object.keys(variants).map((name) => [name, []]));
  const names = Object.keys(variants);
  for (let round = 0; round < context.repetitions; round++)
    for (const at of names.keys()) {
      const name = names[(at + round) % names.length] ?? 'none';
      context.progress(`${subject}, ${name}, ${round + 1} of ${context.repetitions}`);
      const { raw } = (await benchTrial(context, client, protocol, variants[name] ?? [])).done;
      const cpuSeconds = raw.cpu?.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0) ?? 0;
      samples.get(name)?.push({ loadMs: raw.timings?.loadEventEndMs ?? 0, cpuMs: cpuSeconds * 1000 });
    }
  const without = samples.get('none') ?? [];
  const base = (quantity: string, values: number[]): BenchRow =>
    benchRow({ group, subject: `${subject}: none`, quantity, unit: 'ms', values });
  const added = (name: string, quantity: string, of: (sample: Sample) => number): BenchRow => {
    const values = (samples.get(name) ?? []).map((sample, round) => {
      const bare = without[round];
      return bare === undefined ? Number.NaN : of(sample) - of(bare);
    });
    return benchRow({ group, subject: `${subject}: ${name}`, quantity, unit: 'ms', values });
  };
  const compared = names.filter((name) => name !== 'none');
  return [
    base(
      'load time',
      without.map(({ loadMs }) => loadMs),
    ),
    base(
      'CPU time of the browser',
      without.map(({ cpuMs }) => cpuMs),
    ),
    ...compared.flatMap((name) => [
      added(name, 'added load time', ({ loadMs }) => loadMs),
      added(name, 'added CPU time of the browser', ({ cpuMs }) => cpuMs),
    ]),
  ];
}
