import type { PageSource } from './page-source.ts';

/** Gentelella admin dashboard: many scripts of old style, charts, a map. */
export const gentelella: PageSource = {
  id: 'gentelella',
  title: 'Gentelella dashboard',
  own: 'gentelella',
  mounts: {
    gentelella: {
      package: {
        name: 'gentelella',
        version: '1.4.0',
        integrity:
          'sha512-lp54+y6bwSLHF6KMstW2jD6oqV68vLMnFqMqATRp5a/8Tp52NYly7Q+5FZIMaNKATrb3EKx+BN/bKpaZ4BYLEw==',
        licence: 'MIT',
      },
      directory: '',
    },
  },
  entry: 'production/index.html',
  measured: {
    objects: 37,
    hosts: 3,
    wireBytes: 394_693,
    types: { html: 1, css: 8, js: 24, image: 2, font: 2 },
  },
};
