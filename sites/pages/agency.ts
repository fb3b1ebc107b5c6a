import { fontMount } from '../packages/fonts.ts';
import type { PageSource } from './page-source.ts';

/** Start Bootstrap Agency: a one-page company site with photographs and web fonts. */
export const agency: PageSource = {
  id: 'agency',
  title: 'Start Bootstrap Agency',
  own: 'agency',
  mounts: {
    agency: {
      package: {
        name: 'startbootstrap-agency',
        version: '7.0.12',
        integrity:
          'sha512-VpdOVgqYq+Yomt72/gZueBuB99wWyqL1rvqaGaqRwHtDMJlXSf9eGfisyQXPx7//z3dnlGHIMzIk2I8CCmtXOQ==',
        licence: 'MIT',
      },
      directory: 'dist',
    },
    'fonts-montserrat': fontMount('montserrat', ['400', '700']),
    'fonts-roboto': fontMount('roboto-slab', ['100', '300', '400', '700']),
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
    icons: {
      package: {
        name: '@fortawesome/fontawesome-free',
        version: '6.3.0',
        integrity:
          'sha512-qVtd5i1Cc7cdrqnTWqTObKQHjPWAiRwjUPaXObaeNPcy7+WKxJumGBx66rfSFgK6LNpIasVKkEgW8oyf0tmPLA==',
        licence: 'CC-BY-4.0 AND OFL-1.1 AND MIT',
      },
      directory: '',
    },
  },
  entry: 'index.html',
  external: {
    'https://fonts.googleapis.com/css?family=Montserrat': 'fonts-montserrat:styles.css',
    'https://fonts.googleapis.com/css?family=Roboto+Slab': 'fonts-roboto:styles.css',
    'https://cdn.jsdelivr.net/npm/bootstrap@5.2.3/': 'cdn:',
    'https://use.fontawesome.com/releases/v6.3.0/': 'icons:',
  },
  measured: {
    objects: 31,
    hosts: 6,
    wireBytes: 1_545_918,
    types: { html: 1, css: 3, js: 3, image: 21, font: 3 },
  },
};
