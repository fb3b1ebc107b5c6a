import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';
import { tablerPackage } from './tabler-package.ts';

/** Tabler tables: long tables with avatars. */
export const tablerTables: PageSource = {
  id: 'tabler-tables',
  title: 'Tabler tables',
  own: 'tabler',
  mounts: {
    tabler: { package: tablerPackage, directory: 'dist' },
    fonts: fontMount('inter', ['400', '400-italic', '500', '600', '700']),
  },
  entry: 'tables.html',
  external: { 'https://rsms.me/inter/inter.css': 'fonts:styles.css' },
  measured: {
    objects: 224,
    hosts: 4,
    wireBytes: 2_191_979,
    types: { html: 1, css: 8, js: 4, image: 208, font: 3 },
  },
};
