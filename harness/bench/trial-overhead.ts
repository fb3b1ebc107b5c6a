import { messageOf } from '../../src/model/errors.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { usualProbes } from '../probes/selection.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import { benchTrial, type BenchTrial, type BenchTrialContext } from './bench-trials.ts';

const group = 'trial overhead';

/** What a cold page trial may cost beyond the page's own load and its quiet time. */
function limitMs(client: ClientIdentity): number {
  if (client.family === 'firefox') return 3500;
  return client.build === 'headless-shell' ? 500 : 1000;
}

/**
 * Wall time of a trial beyond navigation start to load event and the quiet time after it: browser start and end,
 * profile, HAR, frames, metrics. Both protocols in turn; one trial of each before them is not counted.
 */
export async function trialOverhead(
  context: BenchTrialContext,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const client of clients) {
    const name = `${client.id} ${client.version}`.trim();
    try {
      rows.push(...(await overheadOf(context, client, name)));
    } catch (thrown) {
      context.signal.throwIfAborted();
      const missing = {
        group,
        subject: name,
        quantity: 'overhead of a trial',
        unit: 'ms',
        values: [],
      } as const;
      rows.push(benchRow({ ...missing, note: messageOf(thrown) }));
    }
  }
  return rows;
}

async function overheadOf(
  context: BenchTrialContext,
  client: ClientIdentity,
  subject: string,
): Promise<BenchRow[]> {
  const trials: BenchTrial[] = [];
  for (let round = 0; round <= context.repetitions; round++)
    for (const protocol of ['h2', 'h3'] as const) {
      context.progress(`${subject}, ${protocol}, ${round} of ${context.repetitions}`);
      const trial = await benchTrial(context, client, { protocol, probes: usualProbes, watch: 'evidence' });
      if (round > 0) trials.push(trial);
    }
  const { quietMs } = context.site.workload;
  const loadMs = trials.map(({ done }) => done.raw.timings?.loadEventEndMs ?? 0);
  const overheadMs = trials.map(({ wallMs }, index) => wallMs - (loadMs[index] ?? 0) - quietMs);
  return [
    benchRow({
      group,
      subject,
      quantity: 'overhead of a trial',
      unit: 'ms',
      values: overheadMs,
      atMost: limitMs(client),
      note: 'beyond the load and its quiet time; HAR, frames and metrics included',
    }),
    benchRow({ group, subject, quantity: 'load of the bench page', unit: 'ms', values: loadMs }),
  ];
}
