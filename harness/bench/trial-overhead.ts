import type { ClientIdentity } from '../clients/client.ts';
import { usualProbes } from '../probes/selection.ts';
import { singleTrial, type SingleTrial } from '../trial/single-trial.ts';
import { benchRow, rowsOrReason, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { turnedRounds } from './turned-rounds.ts';

const group = 'trial overhead';
const protocols = ['h2', 'h3'] as const;

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
    const subject = `${client.id} ${client.version}`.trim();
    const missing = { group, subject, quantity: 'overhead of a trial' } as const;
    rows.push(...(await rowsOrReason(missing, context.signal, () => overheadOf(context, client, subject))));
  }
  return rows;
}

async function overheadOf(
  context: BenchTrialContext,
  client: ClientIdentity,
  subject: string,
): Promise<BenchRow[]> {
  const { site, postProcess, repetitions } = context;
  const { workload } = site;
  const rounds = { counted: repetitions, warmUps: 1 };
  const samples = await turnedRounds(protocols, rounds, (protocol, words): Promise<SingleTrial> => {
    context.progress(`${subject}, ${protocol}, ${words}`);
    const recording = { probes: usualProbes, instrumentation: 'instrumented', postProcess } as const;
    return singleTrial(context, { client, workload, protocol, ...recording });
  });
  const trials = [...samples.values()].flat();
  const loadMs = trials.map(({ done }) => done.raw.timings?.loadEventEndMs ?? 0);
  const overheadMs = trials.map(({ wallMs }, index) => wallMs - (loadMs[index] ?? 0) - workload.quietMs);
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
