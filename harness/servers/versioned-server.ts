import { H2h3Error } from '../../src/core/model/errors.ts';
import { versionMatches } from '../tools/version-order.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { ensureVersion, versionHere } from '../tools/versions/ensure-version.ts';
import type { InstalledVersion } from '../tools/versions/installed-versions.ts';
import { latest, parseProgramName } from '../tools/versions/program-name.ts';
import type { ServerProgram, ServerSoftware } from './server-software.ts';

/**
 * What a name says among these: `nginx`, or `nginx@1.30` where versions of it can be had. A version that the machine has
 * anyway is used before one is fetched.
 *
 * @returns undefined for a name that is none; a malformed version is none too
 */
export function softwareNamed(name: string, all: readonly ServerSoftware[]): ServerSoftware | undefined {
  const plain = all.find(({ id }) => id === name);
  if (plain !== undefined || !name.includes('@')) return plain;
  const parsed = parsedOrUndefined(name);
  const software = parsed === undefined ? undefined : all.find(({ id }) => id === parsed.id);
  if (parsed === undefined || software?.versions === undefined) return undefined;
  return atVersion(software, software.versions, parsed.wanted);
}

function parsedOrUndefined(name: string): ReturnType<typeof parseProgramName> {
  try {
    return parseProgramName(name);
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'usage') return undefined;
    throw thrown;
  }
}

function atVersion(
  software: ServerSoftware,
  versions: NonNullable<ServerSoftware['versions']>,
  wanted: string,
): ServerSoftware {
  const { program, differs, programIn } = versions;
  const started = async (version: InstalledVersion, context: SetupContext): Promise<ServerProgram> => ({
    ...(await programIn(version.directory, context)),
    integrity: version.integrity,
    origin: `${version.origin}, ${version.release}`,
  });
  const find = async (context: SetupContext): Promise<ServerProgram | undefined> => {
    const installed = await versionHere(program, wanted, context);
    if (installed !== undefined) return started(installed, context);
    const usual = wanted === latest ? undefined : await software.find(context);
    return usual !== undefined && versionMatches(usual.version, wanted) ? usual : undefined;
  };
  return {
    ...software,
    ...differs?.(wanted),
    id: `${software.id}@${wanted}`,
    find,
    ensure: async (context) => {
      const here = await find(context);
      if (here !== undefined) return here;
      return started(await ensureVersion(program, wanted, context), context);
    },
  };
}
