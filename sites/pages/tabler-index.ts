import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';
import { tablerPackage } from './tabler-package.ts';

/** Tabler dashboard: charts, a map, tables and avatars. */
export const tablerIndex: PageSource = {
  id: 'tabler-index',
  title: 'Tabler dashboard',
  own: 'tabler',
  mounts: {
    tabler: { package: tablerPackage, directory: 'dist' },
    fonts: fontMount('inter', ['400', '400-italic', '500', '600', '700']),
  },
  entry: 'index.html',
  external: { 'https://rsms.me/inter/inter.css': 'fonts:styles.css' },
  measured: {
    objects: 115,
    hosts: 4,
    wireBytes: 735_427,
    types: { html: 1, css: 9, js: 7, image: 95, font: 3 },
  },
};
