import { createHash } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as tar from 'tar';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { SetupContext } from './setup-context.ts';

/** A release archive with the SHA-512 that it must have. */
export interface CaddyRelease {
  readonly version: string;
  readonly url: string;
  readonly sha512: string;
}

const releaseVersion = '2.11.4';

/**
 * SHA-512 of the release archives by `process.platform`-`process.arch`. The Linux ones are those that the official
 * container image pins (caddyserver/caddy-docker, 2.11/alpine/Dockerfile); the macOS ones are pinned alike by
 * several independent public projects.
 */
const sha512ByPlatform: Readonly<Record<string, string>> = {
  'linux-x64':
    '8220d1f013b6f27510247b2360c9e0ca9f018feebd82515f07635318b34ff9777ccc8fd0b6e6f2486ce3a33fe389fbb7db12d05baa474f4587509fb4f5ebf1c9',
  'linux-arm64':
    'd5a7c423853c24a799765e0e8210d5c7c22a8f56ed37a3cae2fb9f58be138853c02b4efd6b59d576e6d8c7c0d30b9c1592deeaa6a536ff69bcca23b8c1ea709c',
  'darwin-x64':
    'e04eb10f9ce7e2e079bc9bff1bd5d3a3164888d1edbb1a49e5d15be4eab691b57e89ed36bb29c65ba43f1ba8d9279e0967b1003991c13fe4cb78384c3caf25de',
  'darwin-arm64':
    '3190ae0df98b59ab4b6021556fa35adc3c526a4f3e138776b0eaec8a037cc26121cbbb1ad53453f565551b47d37d5ba4755e2c2c3652256737fe2ce9e53c8ec0',
};

/** The pinned release for a platform; undefined where none is pinned. */
export function caddyReleaseFor(platform: NodeJS.Platform, arch: string): CaddyRelease | undefined {
  const sha512 = sha512ByPlatform[`${platform}-${arch}`];
  if (sha512 === undefined) return undefined;
  const system = platform === 'darwin' ? 'mac' : platform;
  const file = `caddy_${releaseVersion}_${system}_${arch === 'x64' ? 'amd64' : arch}.tar.gz`;
  const url = `https://github.com/caddyserver/caddy/releases/download/v${releaseVersion}/${file}`;
  return { version: releaseVersion, url, sha512 };
}

/**
 * Downloads a release, checks it and puts the program `caddy` into `directory`.
 * @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when its checksum is wrong.
 */
export async function installCaddyRelease(
  context: Pick<SetupContext, 'progress' | 'signal' | 'download'>,
  release: CaddyRelease,
  directory: string,
): Promise<void> {
  context.progress({ title: `Downloading Caddy ${release.version}`, detail: release.url });
  const { bytes: archive } = await context.download(release.url, { signal: context.signal });
  const sha512 = createHash('sha512').update(archive).digest('hex');
  if (sha512 !== release.sha512)
    throw new H2h3Error('bad-input', `The downloaded Caddy is not the pinned one`, {
      context: { file: release.url, expected: release.sha512, got: sha512 },
      next: 'Do not use it. Install Caddy 2.8 or newer yourself and put it on PATH.',
    });
  const file = path.join(directory, 'caddy.tar.gz');
  await writeFile(file, archive);
  await tar.extract({ file, cwd: directory }, ['caddy']);
  await rm(file);
  await chmod(path.join(directory, 'caddy'), 0o755);
}
