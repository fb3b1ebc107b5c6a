import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { isInstalled, testedVersion } from '../../../src/core/system/optional-package.ts';
import { shellEnvironment, shellProgram, unpackShell } from '../../tools/headless-shell-package.ts';
import type { SetupContext } from '../../tools/setup-context.ts';
import type { ClientIdentity } from '../client.ts';
import { fetchShell, shellPackage } from './providers/npm-shell.ts';

const title = 'Unpacking the embedded Chromium (once)';

/** The headless shell that is the embedded client. */
export interface EmbeddedPackage {
  readonly version: string;
  /** Folder of the packed files where the package is installed; null: it is fetched when it is first needed. */
  readonly binDir: string | null;
}

/** Undefined where it does not run: it is built for Linux on x64 only. */
export async function findEmbeddedPackage(context: SetupContext): Promise<EmbeddedPackage | undefined> {
  if (context.platform !== 'linux' || context.arch !== 'x64') return undefined;
  if (!isInstalled(shellPackage)) return { version: testedVersion(shellPackage) ?? 'stable', binDir: null };
  const packageDir = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(shellPackage))));
  const manifest = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { version: manifest.version, binDir: path.join(packageDir, 'bin') };
}

/** Whether it would be fetched before it could be used. */
export async function mustFetchEmbedded(context: SetupContext): Promise<boolean> {
  const found = await findEmbeddedPackage(context);
  return found?.binDir === null && !(await context.cache.isInstalled(toolName(found)));
}

/** The embedded Chromium, without fetching or unpacking it: `listClients` asks this. */
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

/** Fetches and unpacks the embedded Chromium where that was not done yet. @throws H2h3Error `unsupported`, `storage` */
export async function ensureEmbeddedChromium(context: SetupContext): Promise<ClientIdentity> {
  const found = await findEmbeddedPackage(context);
  const identity = await describeEmbeddedChromium(context);
  if (found === undefined || identity === undefined)
    throw new H2h3Error('unsupported', 'There is no embedded Chromium: it is a package for Linux on x64', {
      context: { expected: 'linux x64', got: `${context.platform} ${context.arch}` },
      next: 'Install Chrome, Chromium or Edge, or name one by its path.',
    });
  const { version, binDir } = found;
  const directory = await context.cache.install(
    toolName(found),
    async (target) => {
      if (binDir === null) await fetchShell(version, target, context);
      else await unpackShell(binDir, target, title, context);
    },
    () => context.progress({ title: 'Waiting until another run or arm has installed the embedded Chromium' }),
  );
  return { ...identity, environment: await shellEnvironment(directory, identity.executablePath, context) };
}

const toolName = (found: EmbeddedPackage): string => `chromium-${found.version}`;
