import { listClients } from '../../../harness/clients/list-clients.ts';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { describeNetwork } from '../../core/model/network-spec.ts';
import { probes } from '../../../harness/probes/registry.ts';
import { proxySoftware } from '../../../harness/proxies/registry.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import type { ServerSoftware } from '../../../harness/servers/server-software.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { installedVersions } from '../../../harness/tools/versions/installed-versions.ts';
import { describeSites, deviceNamed, deviceNames } from '../../../sites/index.ts';
import { describeLadders } from '../../../video/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { textAt } from '../../core/model/published.ts';
import { factors } from '../../core/factors/registry.ts';
import { metrics } from '../../core/metrics/registry.ts';
import { allPresets, experiments, presetFile } from '../presets/registry.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { workloadCatalogue } from '../plan/workload-catalogue.ts';
import { publishedDocuments } from './documents.ts';

/** One thing that has a name. */
export type Row = Readonly<Record<string, unknown>>;

/** Each with the version that its name alone means here, the others that were fetched, and where more come from. */
async function describeSoftware(all: readonly ServerSoftware[], setup: SetupContext): Promise<Row[]> {
  const installed = await installedVersions(setup);
  return Promise.all(
    all.map(async ({ id, title, versions, find }) => {
      const usual = await find(setup).catch(() => undefined);
      const fetched = installed
        .filter((version) => version.id === versions?.program.id)
        .map(({ version }) => `${id}@${version}`);
      return {
        id,
        title,
        version: usual?.version ?? 'not fetched yet',
        fetched,
        'more from': versions?.program.sources.map((source) => source.title).join('; ') ?? '',
      };
    }),
  );
}

/** Everything that has a name, by what it is. */
const subjects: Readonly<Record<string, (context: AppContext) => readonly Row[] | Promise<readonly Row[]>>> =
  {
    presets: () =>
      allPresets().map(({ id, title, plan }) => ({
        id,
        title,
        workloads: [...(plan.sites ?? []).map((site) => `${site} sites`), ...(plan.workloads ?? [])],
        file: givenPath(presetFile(id)),
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
        id,
        title,
        state,
        found: state === 'here' ? found : null,
        installHint,
      })),
    devices: () =>
      deviceNames()
        .map(deviceNamed)
        .map(({ name, width, height, scale, mobile, touch }) => ({
          id: name,
          width,
          height,
          scale,
          mobile,
          touch,
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
    servers: async (context) => describeSoftware(serverSoftware, await setupContextOf(context)),
    proxies: async (context) => describeSoftware(proxySoftware, await setupContextOf(context)),
    metrics: () =>
      metrics.map(({ name, title, unit, higherIsBetter, margin }) => ({
        id: name,
        name,
        title,
        unit,
        higherIsBetter,
        margin,
      })),
    factors: () =>
      factors.map(({ id, title, appliedBy, example }) => ({
        id,
        title,
        'applied by': appliedBy.join(', '),
        'such as': example,
      })),
    studies: () =>
      experiments().map(({ needs, title, ...experiment }) => ({
        ...experiment,
        title: textAt(title, 'quick'),
        state: needs === undefined ? 'runs' : `unsupported: needs ${needs}`,
      })),
    schema: () => publishedDocuments().map((document) => ({ ...document })),
    probes: () => probes.map(({ id, title, recorded }) => ({ id, title, recorded })),
  };

/** What can be described. */
export const describeSubjects: readonly string[] = Object.keys(subjects);

/** The JSON Schema of a document by its id, as a file of its own would hold it. @param id default: that of plan files @throws H2h3Error `usage` */
export function jsonSchemaOf(id = 'plan-file'): Readonly<Record<string, unknown>> {
  const documents = publishedDocuments();
  const found = documents.find((document) => document.id === id);
  if (found !== undefined) return found.schema;
  const ids = documents.map((document) => document.id);
  throw new H2h3Error('usage', `no document is called "${id}"`, {
    context: { expected: ids.join(', '), got: id },
    next: didYouMean(id, ids, '`npx h2h3 describe schema --json` lists all of them.'),
  });
}

/** Everything of one kind that can be named in a plan. @throws H2h3Error `usage` for a kind that does not exist */
export async function describe(subject: string, context: AppContext): Promise<readonly Row[]> {
  const rowsOf = subjects[subject];
  if (rowsOf) return rowsOf(context);
  throw new H2h3Error('usage', `nothing is called "${subject}"`, {
    context: { expected: describeSubjects.join(', '), got: subject },
    next: didYouMean(subject, describeSubjects, 'Without a word it says what can be described.'),
  });
}
