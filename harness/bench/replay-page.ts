import type { PreparedWorkload, SiteRoot } from '../../src/core/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import type { RunningServer } from '../servers/server.ts';
import { singleTrial } from '../trial/single-trial.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { addedTo, turnedRounds } from './turned-rounds.ts';

/** One page twice: as files of the server (`workload.roots`), and as an archive with the same answers behind it. */
export interface ReplayPage {
  readonly workload: PreparedWorkload;
  readonly archiveRoots: readonly SiteRoot[];
}

export interface ReplayPageContext extends Omit<BenchTrialContext, 'server' | 'site'> {
  /** Starts a server of `roots`; one at a time runs, because both hold the same hosts. */
  readonly startServer: (roots: readonly SiteRoot[]) => Promise<RunningServer>;
}

const protocols = ['h2', 'h3'] as const;
/** What replaying may add to a page's load time, percent. */
const maxAddedPercent = 10;

/**
 * What it adds to the load of a page that its objects come from an archive instead of from files: each round loads
 * both over both protocols, and the added time is that of the round. One round before them is not counted.
 */
export async function replayPage(
  context: ReplayPageContext,
  client: ClientIdentity,
  page: ReplayPage,
): Promise<BenchRow[]> {
  const { workload, archiveRoots } = page;
  const rounds = { counted: context.repetitions, warmUps: 1 };
  const loads = await turnedRounds([workload.roots, archiveRoots], rounds, (roots, words) => {
    context.progress(`${workload.title}, ${words}`);
    return loadsMs(context, client, workload, roots);
  });
  const group = 'replay';
  const subject = `${workload.title}, ${client.id}`;
  return protocols.flatMap((protocol) => {
    const msOf = (roots: readonly SiteRoot[]): number[] =>
      (loads.get(roots) ?? []).map((byProtocol) => byProtocol[protocol]);
    const files = msOf(workload.roots);
    const added = addedTo(files, msOf(archiveRoots)).map((ms, round) => (100 * ms) / (files[round] ?? NaN));
    return [
      benchRow({ group, subject, unit: 'ms', quantity: `load from files over ${protocol}`, values: files }),
      benchRow({
        group,
        subject,
        unit: '%',
        quantity: `added to it by replaying over ${protocol}`,
        values: added,
        atMost: maxAddedPercent,
      }),
    ];
  });
}

/** Time from navigation start to the end of the load event over each of `protocols`, ms. */
async function loadsMs(
  context: ReplayPageContext,
  client: ClientIdentity,
  workload: PreparedWorkload,
  roots: readonly SiteRoot[],
): Promise<Readonly<Record<(typeof protocols)[number], number>>> {
  const server = await context.startServer(roots);
  try {
    const loads = { h2: NaN, h3: NaN };
    for (const protocol of protocols) {
      const order = {
        client,
        workload,
        protocol,
        probes: ['cpu'],
        instrumentation: 'uninstrumented',
      } as const;
      const { done } = await singleTrial({ ...context, server }, order);
      loads[protocol] = done.raw.timings?.loadEventEndMs ?? NaN;
    }
    return loads;
  } finally {
    await server.stop();
  }
}
