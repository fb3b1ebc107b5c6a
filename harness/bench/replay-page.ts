import type { ArmProtocol } from '../../src/model/protocol.ts';
import type { PreparedWorkload, SiteRoot } from '../../src/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import type { RunningServer } from '../servers/server.ts';
import { benchRow, type BenchRow } from './bench-row.ts';
import { benchTrial, type BenchTrialContext } from './bench-trials.ts';

/** One page twice: as files of the server (`workload.roots`), and as an archive with the same answers behind it. */
export interface ReplayPage {
  readonly workload: PreparedWorkload;
  readonly archiveRoots: readonly SiteRoot[];
}

export interface ReplayPageContext extends Omit<BenchTrialContext, 'server' | 'site'> {
  /** Starts a server of `roots`; one at a time runs, because both hold the same hosts. */
  readonly startServer: (roots: readonly SiteRoot[]) => Promise<RunningServer>;
}

const group = 'replay';
const protocols = ['h2', 'h3'] as const;
/** What replaying may add to a page's load time, percent. */
const mostAddedPercent = 10;

/**
 * What it adds to the load of a page that its objects come from an archive instead of from files: each round loads
 * both over both protocols, and the added time is that of the round. One round before them is not counted.
 */
export async function replayPage(
  context: ReplayPageContext,
  client: ClientIdentity,
  page: ReplayPage,
): Promise<BenchRow[]> {
  const filesMs = new Map<ArmProtocol, number[]>(protocols.map((protocol) => [protocol, []]));
  const addedPercent = new Map<ArmProtocol, number[]>(protocols.map((protocol) => [protocol, []]));
  for (let round = 0; round <= context.repetitions; round++) {
    context.progress(`${page.workload.title}, ${round} of ${context.repetitions}`);
    const files = await loadsMs(context, client, page.workload, page.workload.roots);
    const archive = await loadsMs(context, client, page.workload, page.archiveRoots);
    if (round === 0) continue;
    for (const [index, protocol] of protocols.entries()) {
      const before = files[index] ?? 0;
      const after = archive[index] ?? 0;
      filesMs.get(protocol)?.push(before);
      addedPercent.get(protocol)?.push((after / before - 1) * 100);
    }
  }
  const subject = `${page.workload.title}, ${client.id}`;
  return protocols.flatMap((protocol) => [
    benchRow({
      group,
      subject,
      unit: 'ms',
      quantity: `load from files over ${protocol}`,
      values: filesMs.get(protocol) ?? [],
    }),
    benchRow({
      group,
      subject,
      unit: '%',
      quantity: `added to it by replaying over ${protocol}`,
      values: addedPercent.get(protocol) ?? [],
      atMost: mostAddedPercent,
    }),
  ]);
}

/** Time from navigation start to the end of the load event over each of `protocols`, ms. */
async function loadsMs(
  context: ReplayPageContext,
  client: ClientIdentity,
  workload: PreparedWorkload,
  roots: readonly SiteRoot[],
): Promise<number[]> {
  const server = await context.startServer(roots);
  try {
    const valuesMs: number[] = [];
    for (const protocol of protocols) {
      const { done } = await benchTrial({ ...context, server, site: { workload } }, client, {
        protocol,
        probes: ['cpu'],
        watch: 'bare',
      });
      valuesMs.push(done.raw.timings?.loadEventEndMs ?? Number.NaN);
    }
    return valuesMs;
  } finally {
    await server.stop();
  }
}
