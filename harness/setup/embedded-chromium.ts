import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import * as tar from 'tar';
import { H2h3Error } from '../../src/model/errors.ts';
import type { ClientIdentity } from '../clients/client.ts';
import type { SetupContext } from './setup-context.ts';

const title = 'Unpacking the embedded Chromium (once)';

/** The headless shell that npm brought, packed; undefined where it does not run (it is built for Linux on x64 only). */
export interface EmbeddedPackage {
  readonly version: string;
  /** Folder of the packed files. */
  readonly binDir: string;
}

export async function findEmbeddedPackage(context: SetupContext): Promise<EmbeddedPackage | undefined> {
  if (context.platform !== 'linux' || context.arch !== 'x64') return undefined;
  const packageDir = path.dirname(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
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
    executablePath: path.join(directory, 'chromium'),
    headed: false,
    environment: {},
  };
}

/** Unpacks the embedded Chromium where that was not done yet. @throws H2h3Error `unsupported`, `storage` */
export async function ensureEmbeddedChromium(context: SetupContext): Promise<ClientIdentity> {
  const found = await findEmbeddedPackage(context);
  const identity = await describeEmbeddedChromium(context);
  if (found === undefined || identity === undefined)
    throw new H2h3Error('unsupported', `The embedded Chromium runs on Linux on x64 only`, {
      context: { expected: 'linux x64', got: `${context.platform} ${context.arch}` },
      next: 'Install Chrome, Chromium or Edge, or name one by its path.',
    });
  const directory = await context.cache.install(
    toolName(found),
    (target) => unpack(found, target, context),
    () => context.progress({ title: 'Waiting for another run that unpacks the embedded Chromium' }),
  );
  return { ...identity, environment: await environmentFor(directory, identity.executablePath, context) };
}

const toolName = (found: EmbeddedPackage): string => `chromium-${found.version}`;

async function unpack(found: EmbeddedPackage, directory: string, context: SetupContext): Promise<void> {
  await unpackBrowser(path.join(found.binDir, 'chromium.br'), path.join(directory, 'chromium'), context);
  for (const archive of ['swiftshader', 'al2023', 'fonts'])
    await pipeline(
      createReadStream(path.join(found.binDir, `${archive}.tar.br`)),
      createBrotliDecompress(),
      tar.extract({ cwd: directory }),
    );
  await mkdir(path.join(directory, 'font-cache'));
}

async function unpackBrowser(packed: string, file: string, context: SetupContext): Promise<void> {
  const { size } = await stat(packed);
  let readBytes = 0;
  let shownPercent = -1;
  const source: Readable = createReadStream(packed, { highWaterMark: 1 << 20 });
  source.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    const percent = Math.floor((100 * readBytes) / size);
    if (percent > shownPercent) context.progress({ title, fraction: readBytes / size });
    shownPercent = percent;
  });
  await pipeline(source, createBrotliDecompress(), createWriteStream(file));
  await chmod(file, 0o755);
}

/**
 * What the browser needs to find. Its libraries are used only where the machine lacks some of them, because
 * Chromium's own must fit those of the machine that it loads them with; its font is always offered, besides
 * the machine's, because without any font text has no height and there is nothing to paint.
 */
async function environmentFor(
  directory: string,
  executable: string,
  context: SetupContext,
): Promise<Record<string, string>> {
  const fontsFile = path.join(directory, 'h2h3-fonts.conf');
  await writeFile(fontsFile, fontsConfig(directory));
  const libraries = (await lacksLibraries(executable, context))
    ? { LD_LIBRARY_PATH: path.join(directory, 'lib') }
    : {};
  return { FONTCONFIG_FILE: fontsFile, ...libraries };
}

/** Fontconfig's own format; the machine's configuration comes first, if it has one. */
function fontsConfig(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${escapeXml(path.join(directory, 'fonts'))}</dir>
  <cachedir>${escapeXml(path.join(directory, 'font-cache'))}</cachedir>
</fontconfig>
`;
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Asks the loader. Where it cannot be asked the machine is too bare to have the libraries. */
async function lacksLibraries(executable: string, context: SetupContext): Promise<boolean> {
  try {
    const { exitCode, stdout } = await context.run('ldd', [executable], { timeoutMs: 10_000 });
    return exitCode !== 0 || stdout.includes('not found');
  } catch {
    return true;
  }
}
