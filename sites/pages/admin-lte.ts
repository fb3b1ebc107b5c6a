import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';

/** AdminLTE 2 dashboard: Bootstrap 3 and jQuery plug-ins, charts drawn by script. */
export const adminLte: PageSource = {
  id: 'admin-lte',
  title: 'AdminLTE dashboard',
  own: 'adminlte',
  mounts: {
    adminlte: {
      package: {
        name: 'admin-lte',
        version: '2.4.18',
        integrity:
          'sha512-AfIdoUWdbQA0OmW7PnP8GJ3u6RMKNXefN3DRTBHCQXd7VeyJahUfZWtV62ppDxcdjpx0L08ypPV55ARmdGdOIw==',
        licence: 'MIT',
      },
      directory: '',
    },
    fonts: fontMount('source-sans-pro', [
      '300',
      '300-italic',
      '400',
      '400-italic',
      '600',
      '600-italic',
      '700',
    ]),
  },
  entry: 'index.html',
  external: { 'https://fonts.googleapis.com/css?family=Source+Sans+Pro': 'fonts:styles.css' },
  measured: {
    objects: 42,
    hosts: 4,
    wireBytes: 777_343,
    types: { html: 1, css: 11, js: 18, image: 3, font: 9 },
  },
};
