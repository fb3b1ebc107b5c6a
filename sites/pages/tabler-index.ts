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
  measured: { objects: 0, hosts: 0, wireBytes: 0, types: {} },
};
