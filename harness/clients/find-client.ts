import { findOnPath, isExecutable } from '../../src/core/system/find-executable.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { isHeadlessShell, printedVersion, readBrowserVersion } from './browser-version.ts';
import type { CommandClient } from './commands/command-client.ts';
import { commandClients } from './commands/registry.ts';
import type { ClientIdentity } from './client.ts';
import type { KnownClient } from './client-catalogue.ts';

/** The client where it is installed (PATH first, then the platform's usual places); undefined where it is not. */
export async function findKnownClient(
  known: KnownClient,
  context: SetupContext,
): Promise<ClientIdentity | undefined> {
  const file = await findProgram(known, context);
  return file === undefined
    ? undefined
    : identifyClient({ known, file, source: 'system', id: known.id, context });
}

async function findProgram(known: KnownClient, context: SetupContext): Promise<string | undefined> {
  const tool = await commandClients.find(({ id }) => id === known.id)?.tool?.find(context);
  if (tool !== undefined) return tool;
  for (const program of known.programs) {
    const file = await findOnPath(program, context);
    if (file !== undefined) return file;
  }
  for (const place of known.places[context.platform] ?? []) {
    const file = expandPlace(place, context);
    if (file !== undefined && (await isExecutable(file))) return file;
  }
  return undefined;
}

/** Undefined when a variable that the place names is not set. */
function expandPlace(place: string, context: SetupContext): string | undefined {
  let complete = true;
  const expanded = place.replace(/^~/, context.homeDir).replace(/%([^%]+)%/g, (_, name: string) => {
    const value = context.environment[name];
    complete &&= value !== undefined;
    return value ?? '';
  });
  return complete ? expanded : undefined;
}

export interface IdentifyClientOptions {
  readonly known: Pick<KnownClient, 'family' | 'name'>;
  readonly file: string;
  readonly source: 'system' | 'path';
  readonly id: string;
  readonly context: SetupContext;
}

/** What is known of the browser at `file` without launching it. */
export async function identifyClient({
  known,
  file,
  source,
  id,
  context,
}: IdentifyClientOptions): Promise<ClientIdentity> {
  const command = commandClients.find((client) => client.id === known.family);
  const told =
    command === undefined
      ? {
          version: await readBrowserVersion(file, known.family, context),
          build: isHeadlessShell(file) ? ('headless-shell' as const) : ('full' as const),
        }
      : describeCommand(command, await printedVersion(file, context));
  return {
    id,
    family: known.family,
    name: known.name,
    ...told,
    source,
    executablePath: file,
    headed: false,
    environment: {},
  };
}

function describeCommand(
  command: CommandClient,
  printed: string,
): Pick<ClientIdentity, 'version' | 'build' | 'protocols' | 'quicLibrary'> {
  const { protocols, ...told } = command.parseVersion(printed);
  return { ...told, build: 'command-line', protocols: [...protocols] };
}
