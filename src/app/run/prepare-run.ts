import { join } from 'node:path';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { ensureFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { versionedProgram } from '../../../harness/tools/versions/catalogue.ts';
import { ensureVersion } from '../../../harness/tools/versions/ensure-version.ts';
import { installedVersions } from '../../../harness/tools/versions/installed-versions.ts';
import { latest, parseProgramName } from '../../../harness/tools/versions/program-name.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { PlannedTrial } from '../../model/plan.ts';
import type { NamedPlayer, PrepareContext, PreparedWorkload, Workload } from '../../model/workload.ts';

/** Clients by the names the plan uses; one that cannot be had stays an error, and its trials become `unsupported`. */
export type Clients = ReadonlyMap<string, ClientIdentity | H2h3Error>;

/** What a run knows of its workloads before they are made. */
export type RunParts = Pick<PrepareContext, 'access' | 'players'>;

/** Makes everything that must be served, one workload after the other, with progress. */
export async function prepareWorkloads(
  workloads: readonly Workload[],
  port: number,
  setup: SetupContext,
  parts: RunParts = {},
): Promise<ReadonlyMap<string, PreparedWorkload>> {
  const prepared = new Map<string, PreparedWorkload>();
  const context = { ...prepareContextOf(setup, port), ...parts };
  for (const workload of workloads) {
    if (setup.signal.aborted) throw new H2h3Error('interrupted', 'interrupted while preparing');
    prepared.set(workload.id, await workload.prepare(context));
  }
  return prepared;
}

/** The players that these trials name, fetched where they must be. @throws H2h3Error as `ensureVersion` */
export async function playersNamed(
  trials: readonly PlannedTrial[],
  setup: SetupContext,
): Promise<NamedPlayer[]> {
  const names = new Set(trials.flatMap(({ factors: { player } }) => player ?? []));
  const players: NamedPlayer[] = [];
  for (const name of names) players.push(await fetchedPlayer(name, setup));
  return players;
}

/** A name without a version means the newest one that is here, else the newest there is. @throws H2h3Error as `ensureVersion` */
export async function fetchedPlayer(name: string, setup: SetupContext): Promise<NamedPlayer> {
  const { id, wanted } = parseProgramName(name) ?? { id: name, wanted: undefined };
  const program = versionedProgram(id);
  if (program === undefined) throw new H2h3Error('internal', `no player is called ${name}`);
  const here =
    wanted === undefined ? (await installedVersions(setup)).find((one) => one.id === id) : undefined;
  const { directory, file, version } = here ?? (await ensureVersion(program, wanted ?? latest, setup));
  return { name, exact: `${id}@${version}`, file: join(directory, file) };
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
