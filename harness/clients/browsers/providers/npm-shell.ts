import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as tar from 'tar';
import { H2h3Error, messageOf } from '../../../../src/core/model/errors.ts';
import { unpackShell } from '../../../tools/headless-shell-package.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';
import { fetchArchive } from '../../../tools/npm-registry.ts';

/** The npm package that carries Chromium's headless shell with its libraries and fonts, for Linux on x64. */
export const shellPackage = '@sparticuz/chromium';

/**
 * Fetches one release of the package and unpacks its browser into `directory`.
 *
 * @returns what the archive was checked against
 * @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when it is broken
 */
export async function fetchShell(release: string, directory: string, context: SetupContext): Promise<string> {
  const downloadDir = path.join(directory, 'download');
  await mkdir(downloadDir);
  const { file, integrity } = await fetchArchive(shellPackage, release, downloadDir, context);
  try {
    await tar.extract({ file, cwd: downloadDir, strict: true });
    const binDir = path.join(downloadDir, 'package', 'bin');
    await unpackShell(binDir, directory, `Unpacking Chromium ${release}`, context);
  } catch (cause) {
    throw new H2h3Error('bad-input', `The archive of chromium@${release} is broken: ${messageOf(cause)}`, {
      context: { archive: `${shellPackage}@${release}` },
      next: 'Choose another version (`npx h2h3 browsers list --available`).',
      cause,
    });
  }
  await rm(downloadDir, { recursive: true });
  return integrity;
}
