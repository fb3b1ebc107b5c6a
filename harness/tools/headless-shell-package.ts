import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, chmod, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import * as tar from 'tar';
import { ifAbsent } from '../../src/core/model/errors.ts';
import { writeWhole } from '../../src/core/system/write-whole.ts';
import type { SetupContext } from './setup-context.ts';

/** Archives next to the browser in `@sparticuz/chromium`; versions differ in which of them they have. */
const companions = ['swiftshader', 'al2023', 'fonts'] as const;

/** Name of the program in an unpacked folder. */
export const shellProgram = 'chromium';

/** Unpacks the `bin` folder of one `@sparticuz/chromium` into `directory`. @throws when an archive is broken. */
export async function unpackShell(
  binDir: string,
  directory: string,
  title: string,
  context: Pick<SetupContext, 'progress'>,
): Promise<void> {
  await unpackBrowser(path.join(binDir, 'chromium.br'), path.join(directory, shellProgram), title, context);
  for (const companion of companions) {
    const archive = path.join(binDir, `${companion}.tar.br`);
    if (await isThere(archive))
      await pipeline(createReadStream(archive), createBrotliDecompress(), tar.extract({ cwd: directory }));
  }
  await mkdir(path.join(directory, 'font-cache'));
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function unpackBrowser(
  packed: string,
  file: string,
  title: string,
  context: Pick<SetupContext, 'progress'>,
): Promise<void> {
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
export async function shellEnvironment(
  directory: string,
  executable: string,
  context: SetupContext,
): Promise<Record<string, string>> {
  const wanted = fontsConfig(directory);
  // Browsers of other commands may read it now: one that finds half of it has no font, and ends at the first text. So does one that is
  // told a path of somebody else: a container, or a far machine of a test, may have the same folder under another path.
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  const fontsFile = path.join(directory, `h2h3-fonts-${name}.conf`);
  if ((await readFile(fontsFile, 'utf8').catch(ifAbsent(''))) !== wanted) writeWhole(fontsFile, wanted);
  const libraries = (await lacksLibraries(executable, context))
    ? { LD_LIBRARY_PATH: path.join(directory, 'lib') }
    : {};
  return { FONTCONFIG_FILE: fontsFile, ...libraries };
}

/**
 * Fontconfig's own format: the machine's fonts and rules, if it has any. Its `fonts.conf` is not included, for that names the machine's
 * caches. Where another browser with a newer Fontconfig has filled those, this one neither reads nor renews them, and sees no font.
 */
function fontsConfig(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <dir>~/.fonts</dir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
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
