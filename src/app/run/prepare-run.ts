import { ensureFfmpeg, vmafFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import { ensureMoqPython } from '../../../harness/tools/moq-python.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { NamedPlayer, PrepareContext, PreparedWorkload, Workload } from '../../core/model/workload.ts';
import { fetchedPlayer } from '../versions/fetched-player.ts';

/** What a run knows of its workloads before they are made. */
export type RunParts = Pick<PrepareContext, 'access' | 'builds' | 'players' | 'holdsChunks'>;

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

/** What a workload needs to make its content. @param port on which the server will listen */
export function prepareContextOf(setup: SetupContext, port: number): PrepareContext {
  return {
    cacheDir: setup.cache.directory,
    projectDir: setup.projectDir,
    port,
    ffmpegPath: async () => (await ensureFfmpeg(setup)).path,
    vmafPath: () => vmafFfmpeg(setup),
    moqPython: () => ensureMoqPython(setup),
    progress: setup.progress,
    signal: setup.signal,
  };
}
