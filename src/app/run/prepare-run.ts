import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { ensureFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { LiveAccess } from '../../model/live-access.ts';
import type { PrepareContext, PreparedWorkload, Workload } from '../../model/workload.ts';

/** Clients by the names the plan uses; one that cannot be had stays an error, and its trials become `unsupported`. */
export type Clients = ReadonlyMap<string, ClientIdentity | H2h3Error>;

async function tryResolve(name: string, setup: SetupContext): Promise<ClientIdentity | H2h3Error> {
  try {
    return await resolveClient(name, setup);
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return thrown;
    throw thrown;
  }
}

/**
 * Finds (or unpacks) every client named. `best` becomes the id of what was found.
 *
 * @throws H2h3Error `usage` for an unknown name, `unsupported` when not one of them can be had.
 */
export async function resolveClients(names: readonly string[], setup: SetupContext): Promise<Clients> {
  const clients = new Map<string, ClientIdentity | H2h3Error>();
  for (const name of names) {
    const found = await tryResolve(name, setup);
    clients.set(found instanceof H2h3Error || name !== 'best' ? name : found.id, found);
  }
  const all = [...clients.values()];
  const failed = all.find((client) => client instanceof H2h3Error);
  if (failed && all.every((client) => client instanceof H2h3Error)) throw failed;
  return clients;
}

/** Makes everything that must be served, one workload after the other, with progress. */
export async function prepareWorkloads(
  workloads: readonly Workload[],
  port: number,
  setup: SetupContext,
  access?: LiveAccess,
): Promise<ReadonlyMap<string, PreparedWorkload>> {
  const prepared = new Map<string, PreparedWorkload>();
  const context = { ...prepareContextOf(setup, port), ...(access === undefined ? {} : { access }) };
  for (const workload of workloads) {
    if (setup.signal.aborted) throw new H2h3Error('interrupted', 'interrupted while preparing');
    prepared.set(workload.id, await workload.prepare(context));
  }
  return prepared;
}

/** What a workload needs to make its content. @param port on which the server will listen */
export function prepareContextOf(setup: SetupContext, port: number): PrepareContext {
  return {
    cacheDir: setup.cache.directory,
    projectDir: setup.projectDir,
    port,
    ffmpegPath: async () => (await ensureFfmpeg(setup)).path,
    progress: setup.progress,
    signal: setup.signal,
  };
}
