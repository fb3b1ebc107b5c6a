import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';

/** Soft UI dashboard: large photographs, a chart, Open Sans. */
export const softUi: PageSource = {
  id: 'soft-ui',
  title: 'Soft UI dashboard',
  own: 'softui',
  mounts: {
    softui: {
      package: {
        name: 'soft-ui-dashboard',
        version: '1.0.1',
        integrity:
          'sha512-cRL8/jseDodYaZFUekr3ZLvKeyxxe5H4r33C3s65ApLE03f8S2P83sc3wYDWEEz2aYt+5vlZLa81ASfQNTQjKg==',
        licence: 'MIT',
      },
      directory: '',
    },
    fonts: fontMount('open-sans', ['300', '400', '600', '700']),
  },
  entry: 'pages/dashboard.html',
  external: { 'https://fonts.googleapis.com/css?family=Open+Sans': 'fonts:styles.css' },
  measured: {
    objects: 30,
    hosts: 4,
    wireBytes: 615_504,
    types: { html: 1, css: 4, js: 6, image: 15, font: 4 },
  },
};
