import { resolveClient } from '../clients/resolve-client.ts';
import { ensureCaddy } from './caddy-binary.ts';
import { openCertificateStore } from './certificates.ts';
import { ensureFfmpeg } from './ffmpeg.ts';
import type { SetupContext } from './setup-context.ts';

/**
 * Everything that the default benches need: what is there is used, the rest is built, downloaded or unpacked.
 * A second call finds all of it and changes nothing.
 * @returns a line for each thing, saying which version is used and where it lies.
 * @throws H2h3Error `unsupported` for the first thing that cannot be had.
 */
export async function setup(context: SetupContext): Promise<string[]> {
  const caddy = await ensureCaddy(context);
  const certificates = await openCertificateStore({ cache: context.cache });
  const browser = await resolveClient('best', context);
  const ffmpeg = await ensureFfmpeg(context);
  return [
    `Caddy ${caddy.version}: ${caddy.path}`,
    `Certificate key (SHA-256 ${certificates.spkiHash}): ${context.cache.directory}`,
    `${browser.name} ${browser.version}: ${browser.executablePath}`,
    `ffmpeg ${ffmpeg.version}: ${ffmpeg.path}`,
  ];
}
