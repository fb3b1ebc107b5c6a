import { listClients } from '../../../harness/clients/list-clients.ts';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { describeNetwork } from '../../model/network-spec.ts';
import { probes } from '../../../harness/probes/registry.ts';
import { proxyProviders } from '../../../harness/proxies/registry.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { describeSites, deviceNamed, deviceNames } from '../../../sites/index.ts';
import { describeLadders } from '../../../video/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import { didYouMean } from '../../model/nearest-name.ts';
import { factorDefinitions } from '../../model/factor.ts';
import { metricCatalogue } from '../../model/metric-catalogue.ts';
import { planFileJsonSchema } from '../../plan/plan-file.ts';
import { experiments } from '../../plan/presets/experiments.ts';
import { presets } from '../../plan/presets/registry.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { workloadCatalogue } from '../plan/workload-catalogue.ts';

/** One thing that has a name. */
export type Row = Readonly<Record<string, unknown>>;

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
    clients: async (context) =>
      (await listClients(await setupContextOf(context))).map(({ id, title, state, found, installHint }) => ({
        ...{ id, title, state, found: state === 'here' ? found : null, installHint },
      })),
    devices: () =>
      deviceNames()
        .map(deviceNamed)
        .map(({ name, width, height, scale, mobile, touch }) => ({
          ...{ id: name, width, height, scale, mobile, touch },
        })),
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
    proxies: async (context) =>
      proxyProviders(await setupContextOf(context)).map(({ id, title }) => ({ id, title })),
    metrics: () =>
      metricCatalogue.map(({ name, title, unit, higherIsBetter, margin }) => ({
        id: name,
        name,
        title,
        unit,
        higherIsBetter,
        margin,
      })),
    factors: () =>
      factorDefinitions.map(({ name, title, honouredBy, example }) => ({
        id: name,
        title,
        'honoured by': honouredBy,
        'such as': example,
      })),
    studies: () =>
      experiments.map(({ needs, ...experiment }) => ({
        ...experiment,
        state: needs === undefined ? 'runs' : `unsupported: needs ${needs}`,
      })),
    schema: () => [{ id: 'plan-file', schema: planFileJsonSchema() }],
    probes: () => probes.map(({ id, title, recorded }) => ({ id, title, recorded })),
  };

/** What can be described. */
export const describeSubjects: readonly string[] = Object.keys(subjects);

/** The JSON Schema of plan files, as a file of its own would hold it. */
export { planFileJsonSchema } from '../../plan/plan-file.ts';

/** Everything of one kind that can be named in a plan. @throws H2h3Error `usage` for a kind that does not exist */
export async function describe(subject: string, context: AppContext): Promise<readonly Row[]> {
  const rowsOf = subjects[subject];
  if (rowsOf) return rowsOf(context);
  throw new H2h3Error('usage', `nothing is called "${subject}"`, {
    context: { expected: describeSubjects.join(', '), got: subject },
    next: didYouMean(subject, describeSubjects, 'Without a word it says what can be described.'),
  });
}
