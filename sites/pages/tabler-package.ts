import type { PinnedPackage } from '../packages/pinned-package.ts';

/** All pages of the Tabler admin template, as its makers publish them for preview. */
export const tablerPackage: PinnedPackage = {
  name: '@tabler/preview',
  version: '1.2.0',
  integrity:
    'sha512-RkIICf4bXA67hJoycZ7SzIPNQZXlNogNf0u78FdgjrqVdthKXoHV7zhl8e9NgNAF0ykfYd0/A7MEVoL1bBieMQ==',
  licence: 'MIT',
};
