import { listClients } from '../../../harness/clients/list-clients.ts';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { describeNetwork } from '../../model/network-spec.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { describeSites } from '../../../sites/index.ts';
import { describeLadders } from '../../../video/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import { metricCatalogue } from '../../model/metric-catalogue.ts';
import { presets } from '../../plan/presets/registry.ts';
import { loadOwnWorkloads } from '../../app/plan/own-workloads.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import { formatTable } from '../table.ts';
import { workloadCatalogue } from '../../app/plan/workload-catalogue.ts';
import type { AddCommand } from './command.ts';

type Row = Readonly<Record<string, unknown>>;

/** Everything that has a name, by what it is. */
const subjects: Readonly<Record<string, (context: AppContext) => readonly Row[] | Promise<readonly Row[]>>> =
  {
    presets: () =>
      presets.map(({ id, title, plan }) => ({
        id,
        title,
        workloads: [...(plan.sites ?? []).map((site) => `${site} sites`), ...(plan.workloads ?? [])],
      })),
    workloads: async (context) =>
      [...workloadCatalogue(await loadOwnWorkloads(context)).values()].map(({ id, kind, title }) => ({
        id,
        kind,
        title,
      })),
    sites: () => [...describeSites()] as unknown as Row[],
    ladders: () => [...describeLadders()] as unknown as Row[],
    clients: async (context) => (await listClients(await setupContextOf(context))) as unknown as Row[],
    networks: () => [
      { id: loopback.id, title: loopback.title },
      ...networkSpecs.map((spec) => ({
        id: spec.id,
        title: spec.title,
        path: describeNetwork(spec),
        source: spec.source,
      })),
    ],
    servers: async (context) =>
      serverProviders(await setupContextOf(context)).map(({ id, title }) => ({ id, title })),
    metrics: () =>
      metricCatalogue.map(({ name, title, unit, higherIsBetter, margin }) => ({
        name,
        title,
        unit,
        higherIsBetter,
        margin,
      })),
    probes: () => [
      { id: 'har', title: 'network events of the browser as a HAR; the proof of the protocol' },
      { id: 'frames', title: 'frames of the viewport, for Speed Index and visual completeness' },
      { id: 'cpu', title: 'CPU time of each browser process, from the operating system' },
      {
        id: 'lighthouse',
        title: 'a Lighthouse audit in a navigation of its own (Chromium family), not by default',
      },
    ],
  };

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join(' ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, item]) => `${key} ${cell(item)}`)
      .join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function asTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return formatTable([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);
}

export const addDescribeCommand: AddCommand = (program, context) => {
  program
    .command('describe')
    .description(`list what has a name: ${Object.keys(subjects).join(', ')}`)
    .argument('[subject]', 'one of these; all names of presets and workloads when left out')
    .option('--json', 'print JSON only, such as {"sites":[…]}')
    .addHelpText('after', '\nExamples:\n  h2h3 describe sites\n  h2h3 describe ladders --json')
    .action(async (subject: string | undefined, flags: { json?: boolean }) => {
      const wanted = subject === undefined ? ['presets', 'workloads'] : [subject];
      for (const name of wanted) {
        const rowsOf = subjects[name];
        if (!rowsOf) {
          throw new H2h3Error('usage', `nothing is called "${name}"`, {
            context: { expected: Object.keys(subjects).join(', '), got: name },
          });
        }
        const rows = await rowsOf(context);
        context.print(flags.json === true ? JSON.stringify({ [name]: rows }) : `${name}\n${asTable(rows)}\n`);
      }
    });
};
