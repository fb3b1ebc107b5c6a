import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';

/** Start Bootstrap landing page: few objects, large photographs, an icon font. */
export const landing: PageSource = {
  id: 'landing',
  title: 'Start Bootstrap landing page',
  own: 'landing',
  mounts: {
    landing: {
      package: {
        name: 'startbootstrap-landing-page',
        version: '6.0.6',
        integrity:
          'sha512-fS0Z6kV1HDWba4S1YLP+oKkqLkOUFx9FGsCx7W/svXqxilqzjw6gz6LLY22ZNr0UH0tAI5y6S5e2iad0Ux2DZA==',
        licence: 'MIT',
      },
      directory: 'dist',
    },
    fonts: fontMount('lato', ['300', '300-italic', '400', '400-italic', '700', '700-italic']),
    cdn: {
      package: {
        name: 'bootstrap',
        version: '5.2.3',
        integrity:
          'sha512-cEKPM+fwb3cT8NzQZYEu4HilJ3anCrWqh3CHAok1p9jXqMPsPTBhU25fBckEJHJ/p+tTxTFTsFQGM+gaHpi3QQ==',
        licence: 'MIT',
      },
      directory: '',
    },
    'cdn-icons': {
      package: {
        name: 'bootstrap-icons',
        version: '1.5.0',
        integrity:
          'sha512-44feMc7DE1Ccpsas/1wioN8ewFJNquvi5FewA06wLnqct7CwMdGDVy41ieHaacogzDqLfG8nADIvMNp9e4bfbA==',
        licence: 'MIT',
      },
      directory: '',
    },
  },
  entry: 'index.html',
  external: {
    'https://fonts.googleapis.com/css?family=Lato': 'fonts:styles.css',
    'https://cdn.jsdelivr.net/npm/bootstrap@5.2.3/': 'cdn:',
    'https://cdn.jsdelivr.net/npm/bootstrap-icons@1.5.0/': 'cdn-icons:',
  },
  measured: {
    objects: 18,
    hosts: 5,
    wireBytes: 2_324_694,
    types: { html: 1, css: 3, js: 2, image: 7, font: 5 },
  },
};
