import path from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { findPhone, isPhoneName } from './browsers/android/find-phone.ts';
import { findWebKit, webkitName } from './browsers/webkit/find-webkit.ts';
import { describeEmbeddedChromium, ensureEmbeddedChromium } from './browsers/embedded-chromium.ts';
import { isExecutable } from '../../src/core/system/find-executable.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { printedVersion } from './browser-version.ts';
import type { ClientIdentity } from './client.ts';
import { parseVersionedName } from './client-name.ts';
import { knownClients } from './client-catalogue.ts';
import type { KnownClient } from './client-catalogue.ts';
import { commandClients } from './commands/registry.ts';
import {
  commandVersionNamed,
  lookForCommandVersion,
  resolveCommandVersion,
} from './commands/versioned-command.ts';
import { findKnownClient, identifyClient } from './find-client.ts';
import { listClients } from './list-clients.ts';
import { lookForVersion, resolveVersioned } from './resolve-versioned.ts';
import { didYouMean } from '../../src/core/model/nearest-name.ts';

/**
 * The client that `spec` names: `chrome`, `chromium`, `edge`, `opera`, `firefox`, `embedded`, a path to a browser, a
 * version such as `chromium@153` or `firefox@beta` (which is fetched when it is not installed), or `best`: the first
 * of the Chromium family that is installed, else the embedded one (which is unpacked then).
 * @throws H2h3Error `usage` for a name that is none, `unsupported` for a client that this machine has not.
 */
export async function resolveClient(spec: string, context: SetupContext): Promise<ClientIdentity> {
  if (spec === 'best') return bestClient(context);
  if (isPhoneName(spec)) return findPhone(spec, context);
  if (spec === webkitName) return findWebKit(context);
  if (spec === 'embedded') return ensureEmbeddedChromium(context);
  const known = knownClients.find(({ id }) => id === spec);
  if (known !== undefined)
    return (
      (await findKnownClient(known, context)) ??
      (await fetchedClient(known, context)) ??
      notInstalled(known, context)
    );
  if (spec.includes('/') || spec.includes('\\')) return clientAt(spec, context);
  const command = commandVersionNamed(spec);
  if (command !== undefined) return resolveCommandVersion(command, context);
  const versioned = parseVersionedName(spec);
  if (versioned !== undefined) return resolveVersioned(versioned, spec, context);
  return unknownName(spec, context);
}

/**
 * The same without fetching anything; undefined for a client that would have to be fetched, or is not looked for because
 * asking starts a server of its own (a phone).
 *
 * @throws H2h3Error as `resolveClient`
 */
export async function lookForClient(
  spec: string,
  context: SetupContext,
): Promise<ClientIdentity | undefined> {
  if (isPhoneName(spec)) return undefined;
  if (spec === 'best') return (await installedBest(context)) ?? embedded(context);
  if (spec === 'embedded') return embedded(context);
  const known = knownClients.find(({ id }) => id === spec);
  if (known !== undefined && isFetched(known)) return findKnownClient(known, context);
  const command = /[/\\]/.test(spec) ? undefined : commandVersionNamed(spec);
  if (command !== undefined) return lookForCommandVersion(command, context);
  const versioned = /[/\\]/.test(spec) ? undefined : parseVersionedName(spec);
  return versioned === undefined ? resolveClient(spec, context) : lookForVersion(versioned, spec, context);
}

/** @throws H2h3Error `unsupported` on a machine for which there is none */
async function embedded(context: SetupContext): Promise<ClientIdentity> {
  return (await describeEmbeddedChromium(context)) ?? ensureEmbeddedChromium(context);
}

/**
 * @param whose stands before the message, such as the arm that sets it
 * @throws H2h3Error `usage` for a name that no client can have; whether this machine has it is another question.
 */
export async function requireClientName(spec: string, context: SetupContext, whose = ''): Promise<void> {
  const known = ['best', 'embedded', webkitName, ...knownClients.map(({ id }) => id)].includes(spec);
  if (known || isPhoneName(spec) || /[/\\]/.test(spec)) return;
  if (commandVersionNamed(spec) !== undefined || parseVersionedName(spec) !== undefined) return;
  await unknownName(spec, context, whose);
}

/** Clients that people ask for and nothing here drives, with what is lacking. */
const undriven: ReadonlyMap<string, string> = new Map([
  [
    'safari',
    'Safari is not driven: it runs on macOS and iOS alone, and has no switch that forces a protocol',
  ],
]);

async function unknownName(spec: string, context: SetupContext, whose = ''): Promise<never> {
  const lacking = undriven.get(spec);
  if (lacking !== undefined)
    throw new H2h3Error('unsupported', `${whose}${lacking}`, {
      context: { client: spec },
      next: `This machine has ${await namesOfFound(context)}; --device shows pages as a phone does.`,
    });
  const names = ['best', ...knownClients.map(({ id }) => id), 'embedded'];
  throw new H2h3Error('usage', `${whose}unknown client ${JSON.stringify(spec)}`, {
    context: {
      expected: `one of ${names.join(', ')}, a version such as chromium@153, or a path with a / to a browser`,
      got: spec,
    },
    next: didYouMean(spec, names, `This machine has ${await namesOfFound(context)}.`),
  });
}

/** A command-line client that this machine has not, where the project has a build of it; undefined where it has none. */
async function fetchedClient(known: KnownClient, context: SetupContext): Promise<ClientIdentity | undefined> {
  if (!isFetched(known)) return undefined;
  await toolOf(known)?.ensure(context);
  return findKnownClient(known, context);
}

function toolOf(known: KnownClient): (typeof commandClients)[number]['tool'] {
  return commandClients.find(({ id }) => id === known.id)?.tool;
}

const isFetched = (known: KnownClient): boolean => toolOf(known) !== undefined;

async function bestClient(context: SetupContext): Promise<ClientIdentity> {
  return (await installedBest(context)) ?? ensureEmbeddedChromium(context);
}

async function installedBest(context: SetupContext): Promise<ClientIdentity | undefined> {
  const wanted = knownClients.filter(
    ({ family, onlyByName }) => family === 'chromium' && onlyByName !== true,
  );
  for (const known of wanted) {
    const found = await findKnownClient(known, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A browser by its path: what it is comes from its name, else from what it says of itself. */
async function clientAt(spec: string, context: SetupContext): Promise<ClientIdentity> {
  const file = path.resolve(spec.replace(/^~(?=[/\\])/, context.homeDir));
  if (!(await isExecutable(file)))
    throw new H2h3Error('usage', `There is no program at ${file}`, {
      context: { file, expected: 'a client that this user may start' },
      next: `This machine has ${await namesOfFound(context)}.`,
    });
  const known = familyIn(path.basename(file)) ?? familyIn(await printedVersion(file, context));
  if (known !== undefined) return identifyClient({ known, file, source: 'path', id: spec, context });
  throw new H2h3Error('usage', `${file} is no client that is known here`, {
    context: {
      file,
      expected: `a browser of the Chromium family, Firefox, or ${commandClients.map(({ title }) => title).join(', ')}`,
    },
  });
}

function familyIn(text: string): Pick<KnownClient, 'family' | 'name'> | undefined {
  if (/headless[-_]shell/i.test(text)) return { family: 'chromium', name: 'Chromium headless shell' };
  const patterns: readonly (readonly [RegExp, string])[] = [
    [/edge/i, 'edge'],
    [/opera/i, 'opera'],
    [/chromium/i, 'chromium'],
    [/chrome/i, 'chrome'],
    [/firefox/i, 'firefox'],
  ];
  const command = commandClients.find(({ programs }) =>
    programs.some((program) => text === program || text.startsWith(`${program} `)),
  );
  const id = patterns.find(([pattern]) => pattern.test(text))?.[1] ?? command?.id;
  return knownClients.find((known) => known.id === id);
}

async function namesOfFound(context: SetupContext): Promise<string> {
  const found = (await listClients(context)).filter((client) => client.found !== null);
  return found.length === 0 ? 'no browser' : found.map(({ id }) => id).join(', ');
}

async function notInstalled(known: KnownClient, context: SetupContext): Promise<never> {
  throw new H2h3Error('unsupported', `${known.name} is not on this machine`, {
    context: { expected: `a program called ${known.programs.join(' or ')}`, client: known.id },
    next: `Install it (${known.installHint}) or use another client; this machine has ${await namesOfFound(context)}.`,
  });
}
