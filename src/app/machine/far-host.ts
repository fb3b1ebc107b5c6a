import { FarHost, type FarHostOptions } from '../../../harness/hosts/far-host.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { guardedEnvironment } from '../../core/system/processes/process-guard.ts';
import { makeTemporary } from '../../core/system/temporary-folder.ts';

/**
 * Connects to another machine of a run, for as long as `work` takes; h2h3 is sent where it is not there yet.
 *
 * @param name as the user gave it
 * @param starts what `work` starts there; absent: nothing
 * @throws H2h3Error as `FarHost.open`, and what `work` throws
 */
export async function withFarHost<Result>(
  name: string,
  setup: SetupContext,
  work: (host: FarHost) => Promise<Result>,
  starts: Pick<FarHostOptions, 'port' | 'startsClients'> = {},
): Promise<Result> {
  const host = await FarHost.open({
    host: name,
    ...starts,
    folder: makeTemporary('ssh'),
    environment: { ...setup.environment, ...guardedEnvironment() },
    say: (title) => setup.progress({ title }),
    tell: () => undefined,
    signal: setup.signal,
  });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
