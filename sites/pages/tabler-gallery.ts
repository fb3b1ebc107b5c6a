import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';
import { tablerPackage } from './tabler-package.ts';

/** Tabler photo gallery: photos and avatars. */
export const tablerGallery: PageSource = {
  id: 'tabler-gallery',
  title: 'Tabler photo gallery',
  own: 'tabler',
  mounts: {
    tabler: { package: tablerPackage, directory: 'dist' },
    fonts: fontMount('inter', ['400', '400-italic', '500', '600', '700']),
  },
  entry: 'gallery.html',
  external: { 'https://rsms.me/inter/inter.css': 'fonts:styles.css' },
  measured: {
    objects: 117,
    hosts: 4,
    wireBytes: 2_086_646,
    types: { html: 1, css: 8, js: 3, image: 102, font: 3 },
  },
};
