import { join } from 'node:path';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { versionedProgram } from '../../../harness/tools/versions/catalogue.ts';
import { ensureVersion, versionHere } from '../../../harness/tools/versions/ensure-version.ts';
import {
  installedVersions,
  type InstalledVersion,
} from '../../../harness/tools/versions/installed-versions.ts';
import { latest, parseProgramName } from '../../../harness/tools/versions/program-name.ts';
import type { VersionedProgram } from '../../../harness/tools/versions/version-source.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { NamedPlayer } from '../../core/model/workload.ts';

interface PlayerName {
  readonly program: VersionedProgram;
  /** Undefined: the newest that is here, else the newest there is. */
  readonly wanted: string | undefined;
}

function parsed(name: string): PlayerName {
  const { id, wanted } = parseProgramName(name) ?? { id: name, wanted: undefined };
  const program = versionedProgram(id);
  if (program === undefined) throw new H2h3Error('internal', `no player is called ${name}`);
  return { program, wanted };
}

/** What a player's name means here, if that is here already. */
export async function playerHere(name: string, setup: SetupContext): Promise<InstalledVersion | undefined> {
  const { program, wanted } = parsed(name);
  if (wanted !== undefined) return versionHere(program, wanted, setup);
  return (await installedVersions(setup)).find(({ id }) => id === program.id);
}

/** A name without a version means the newest one that is here, else the newest there is. @throws H2h3Error as `ensureVersion` */
export async function fetchedPlayer(name: string, setup: SetupContext): Promise<NamedPlayer> {
  const { program, wanted } = parsed(name);
  const here = await playerHere(name, setup);
  const { directory, file, version } = here ?? (await ensureVersion(program, wanted ?? latest, setup));
  return { name, exact: `${program.id}@${version}`, file: join(directory, file) };
}
