import { join } from 'node:path';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { versionedProgram } from '../../../harness/tools/versions/catalogue.ts';
import { ensureVersion } from '../../../harness/tools/versions/ensure-version.ts';
import { installedVersions } from '../../../harness/tools/versions/installed-versions.ts';
import { latest, parseProgramName } from '../../../harness/tools/versions/program-name.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { NamedPlayer } from '../../model/workload.ts';

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
