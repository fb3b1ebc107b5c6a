import path from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import { describeEmbeddedChromium, ensureEmbeddedChromium } from '../setup/embedded-chromium.ts';
import { findOnPath, isExecutable } from '../setup/find-executable.ts';
import type { SetupContext } from '../setup/setup-context.ts';
import { isHeadlessShell, printedVersion, readBrowserVersion } from './browser-version.ts';
import type { ClientIdentity } from './client.ts';
import { knownClients } from './client-catalogue.ts';
import type { KnownClient } from './client-catalogue.ts';

/** A client that can be named, and what was found of it on this machine. */
export interface ListedClient {
  readonly id: string;
  readonly title: string;
  /** Null: not on this machine. The embedded one is found before it is unpacked. */
  readonly found: ClientIdentity | null;
  /** What installs it. */
  readonly installHint: string;
}

/**
 * The client that `spec` names: `chrome`, `chromium`, `edge`, `opera`, `firefox`, `embedded`, a path to a browser, or
 * `best`: the first of the Chromium family that is installed, else the embedded one (which is unpacked then).
 * @throws H2h3Error `usage` for a name that is none, `unsupported` for a client that this machine has not.
 */
export async function resolveClient(spec: string, context: SetupContext): Promise<ClientIdentity> {
  if (spec === 'best') return bestClient(context);
  if (spec === 'embedded') return ensureEmbeddedChromium(context);
  const known = knownClients.find(({ id }) => id === spec);
  if (known !== undefined) return (await findKnown(known, context)) ?? notInstalled(known, context);
  if (spec.includes('/') || spec.includes('\\')) return clientAt(spec, context);
  const names = ['best', ...knownClients.map(({ id }) => id), 'embedded'].join(', ');
  throw new H2h3Error('usage', `Unknown client ${JSON.stringify(spec)}`, {
    context: { expected: `one of ${names}, or a path with a / to a browser`, got: spec },
    next: `This machine has ${await namesOfFound(context)}.`,
  });
}

/** Every client that can be named, in order of preference. Unpacks nothing. */
export async function listClients(context: SetupContext): Promise<ListedClient[]> {
  const listed = await Promise.all(
    knownClients.map(async (known) => ({
      id: known.id,
      title: known.name,
      found: (await findKnown(known, context)) ?? null,
      installHint: known.installHint,
    })),
  );
  const embedded = (await describeEmbeddedChromium(context)) ?? null;
  const title = embedded?.name ?? 'Chromium headless shell (embedded)';
  return [...listed, { id: 'embedded', title, found: embedded, installHint: 'npm ci (Linux on x64 only)' }];
}

async function bestClient(context: SetupContext): Promise<ClientIdentity> {
  for (const known of knownClients.filter(({ family }) => family === 'chromium')) {
    const found = await findKnown(known, context);
    if (found !== undefined) return found;
  }
  return ensureEmbeddedChromium(context);
}

async function findKnown(known: KnownClient, context: SetupContext): Promise<ClientIdentity | undefined> {
  const file = await findProgram(known, context);
  return file === undefined ? undefined : identify(known, file, 'system', known.id, context);
}

async function findProgram(known: KnownClient, context: SetupContext): Promise<string | undefined> {
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

async function identify(
  known: Pick<KnownClient, 'family' | 'name'>,
  file: string,
  source: 'system' | 'path',
  id: string,
  context: SetupContext,
): Promise<ClientIdentity> {
  return {
    id,
    family: known.family,
    name: known.name,
    version: await readBrowserVersion(file, known.family, context),
    build: isHeadlessShell(file) ? 'headless-shell' : 'full',
    source,
    executablePath: file,
    headed: false,
    environment: {},
  };
}

/** A browser by its path: what it is comes from its name, else from what it says of itself. */
async function clientAt(spec: string, context: SetupContext): Promise<ClientIdentity> {
  const file = path.resolve(spec.replace(/^~(?=[/\\])/, context.homeDir));
  if (!(await isExecutable(file)))
    throw new H2h3Error('usage', `There is no program at ${file}`, {
      context: { file, expected: 'a browser that this user may start' },
      next: `This machine has ${await namesOfFound(context)}.`,
    });
  const known = familyIn(path.basename(file)) ?? familyIn(await printedVersion(file, context));
  if (known !== undefined) return identify(known, file, 'path', spec, context);
  throw new H2h3Error('usage', `${file} is no browser that is known here`, {
    context: { file, expected: 'a browser of the Chromium family, or Firefox' },
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
  const id = patterns.find(([pattern]) => pattern.test(text))?.[1];
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
