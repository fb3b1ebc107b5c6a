import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../../../src/model/errors.ts';
import type { ClientIdentity } from '../client.ts';
import { shellEnvironment, shellProgram, unpackShell } from '../../tools/headless-shell-package.ts';
import type { SetupContext } from '../../tools/setup-context.ts';
import { installCommand, isInstalled } from '../../../src/system/optional-package.ts';

const packageName = '@sparticuz/chromium';
const title = 'Unpacking the embedded Chromium (once)';

/** The headless shell that npm brought, packed; undefined where it does not run (it is built for Linux on x64 only). */
export interface EmbeddedPackage {
  readonly version: string;
  /** Folder of the packed files. */
  readonly binDir: string;
}

export async function findEmbeddedPackage(context: SetupContext): Promise<EmbeddedPackage | undefined> {
  if (context.platform !== 'linux' || context.arch !== 'x64' || !isInstalled(packageName)) return undefined;
  const packageDir = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(packageName))));
  const manifest = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { version: manifest.version, binDir: path.join(packageDir, 'bin') };
}

/** The embedded Chromium, without unpacking it: `listClients` asks this. */
export async function describeEmbeddedChromium(context: SetupContext): Promise<ClientIdentity | undefined> {
  const found = await findEmbeddedPackage(context);
  if (found === undefined) return undefined;
  const directory = context.cache.directoryOf(toolName(found));
  return {
    id: 'embedded',
    family: 'chromium',
    name: 'Chromium headless shell (embedded)',
    version: found.version,
    build: 'headless-shell',
    source: 'embedded',
    executablePath: path.join(directory, shellProgram),
    headed: false,
    environment: {},
  };
}

/** Unpacks the embedded Chromium where that was not done yet. @throws H2h3Error `unsupported`, `storage` */
export async function ensureEmbeddedChromium(context: SetupContext): Promise<ClientIdentity> {
  const found = await findEmbeddedPackage(context);
  const identity = await describeEmbeddedChromium(context);
  if (found === undefined || identity === undefined)
    throw new H2h3Error('unsupported', 'There is no embedded Chromium: it is a package for Linux on x64', {
      context: {
        expected: `linux x64 with ${packageName}`,
        got: `${context.platform} ${context.arch}, ${isInstalled(packageName) ? 'installed' : 'not installed'}`,
      },
      next: `On Linux on x64: \`${installCommand(packageName)}\`. Elsewhere install Chrome, Chromium or Edge, or name one by its path.`,
    });
  const directory = await context.cache.install(
    toolName(found),
    (target) => unpackShell(found.binDir, target, title, context),
    () => context.progress({ title: 'Waiting for another run that unpacks the embedded Chromium' }),
  );
  return { ...identity, environment: await shellEnvironment(directory, identity.executablePath, context) };
}

const toolName = (found: EmbeddedPackage): string => `chromium-${found.version}`;
