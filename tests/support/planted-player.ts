import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { versionFolders, versionTool } from '../../harness/tools/versions/installed-versions.ts';
import { fetchedPlayer } from '../../src/app/versions/fetched-player.ts';
import { digestOf } from '../../src/core/system/package-archive.ts';
import { projectDir } from './cli.ts';

/** A release of hls.js that there is not: its rule always takes the lowest track. */
export const plantedPlayer = 'hlsjs@1.99.0';

const fault = `
;Object.defineProperty(globalThis.Hls.DefaultConfig.abrController.prototype, 'nextAutoLevel', {
  get: () => 0,
  set: () => undefined,
});`;

/**
 * Makes a tool cache in `folder` that has all that the project's has, and a player with a regression among its versions.
 *
 * @returns exact name of the release that the regression was put upon
 * @throws H2h3Error as `ensureVersion` where hls.js cannot be had
 */
export async function cacheWithPlantedPlayer(folder: string): Promise<string> {
  const setup = await createSetupContext({ projectDir });
  const { exact, file } = await fetchedPlayer('hlsjs@1.7', setup);
  const { directory } = setup.cache;
  mkdirSync(join(folder, 'tools'), { recursive: true });
  const linkAll = (from: string, to: string, but: string): void =>
    readdirSync(from)
      .filter((name) => name !== but)
      .forEach((name) => symlinkSync(join(from, name), join(to, name)));
  linkAll(directory, folder, 'tools');
  linkAll(join(directory, 'tools'), join(folder, 'tools'), '');
  const [, version = ''] = exact.split('@');
  const [, planted = ''] = plantedPlayer.split('@');
  const target = join(folder, 'tools', versionTool('hlsjs', planted));
  cpSync(join(file, '..'), target, { recursive: true });
  const script = readFileSync(file, 'utf8').replaceAll(`"${version}"`, `"${planted}"`) + fault;
  writeFileSync(join(target, 'player.js'), script);
  const marker = versionFolders.read(join(file, '..'));
  versionFolders.mark(target, {
    ...marker,
    version: planted,
    release: planted,
    fileSha256: await digestOf(join(target, 'player.js'), 'sha256', 'hex'),
  });
  return exact;
}
