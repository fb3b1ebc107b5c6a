import { versionMatches } from '../../tools/version-order.ts';
import type { SetupContext } from '../../tools/setup-context.ts';
import { ensureVersion } from '../../tools/versions/ensure-version.ts';
import { findInstalledVersion, type InstalledVersion } from '../../tools/versions/installed-versions.ts';
import { latest, parseProgramName } from '../../tools/versions/program-name.ts';
import { knownClients } from '../client-catalogue.ts';
import type { ClientIdentity } from '../client.ts';
import { findKnownClient, identifyClient } from '../find-client.ts';
import type { CommandClient } from './command-client.ts';
import { commandClients } from './registry.ts';

/** A command-line client and the version that is wanted of it. */
export interface CommandVersion {
  readonly client: CommandClient & Required<Pick<CommandClient, 'versions'>>;
  readonly wanted: string;
  /** What the user wrote; records carry it as the client's name. */
  readonly spec: string;
}

const hasVersions = (client: CommandClient): client is CommandVersion['client'] =>
  client.versions !== undefined;

/** `curl@8.21` apart; undefined for what names no version of a command-line client. @throws H2h3Error `usage` for a malformed version */
export function commandVersionNamed(spec: string): CommandVersion | undefined {
  const client = commandClients.filter(hasVersions).find(({ id }) => spec.startsWith(`${id}@`));
  const name = client === undefined ? undefined : parseProgramName(spec);
  return client === undefined || name === undefined ? undefined : { client, wanted: name.wanted, spec };
}

async function identityOf(
  { client, spec }: CommandVersion,
  installed: InstalledVersion,
  context: SetupContext,
): Promise<ClientIdentity> {
  const file = client.versions.fileIn(installed.directory, context);
  const known = { family: client.id, name: client.title };
  const identity = await identifyClient({ known, file, source: 'path', id: spec, context });
  return { ...identity, source: 'cache', executableSha256: installed.fileSha256 };
}

/** The version where it was fetched, or the machine has it anyway; undefined for one that would have to be fetched. */
export async function lookForCommandVersion(
  version: CommandVersion,
  context: SetupContext,
): Promise<ClientIdentity | undefined> {
  const { client, wanted, spec } = version;
  const installed = await findInstalledVersion({ id: client.versions.program.id, wanted }, context);
  if (installed !== undefined) return identityOf(version, installed, context);
  const known = knownClients.find(({ id }) => id === client.id);
  const usual = known === undefined || wanted === latest ? undefined : await findKnownClient(known, context);
  return usual !== undefined && versionMatches(usual.version, wanted) ? { ...usual, id: spec } : undefined;
}

/** The same, fetched where it must be. @throws H2h3Error as `ensureVersion` */
export async function resolveCommandVersion(
  version: CommandVersion,
  context: SetupContext,
): Promise<ClientIdentity> {
  const here = await lookForCommandVersion(version, context);
  if (here !== undefined) return here;
  const installed = await ensureVersion(version.client.versions.program, version.wanted, context);
  return identityOf(version, installed, context);
}
