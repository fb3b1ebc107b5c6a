import { threePage, threeScript } from './three-scene.ts';
import type { PageSource } from './page-source.ts';

/** The source modules of three.js, unbundled: several hundred small scripts in a deep import graph. */
export const threeModules: PageSource = {
  id: 'three-modules',
  title: 'three.js module graph',
  own: 'three',
  mounts: {
    three: {
      package: {
        name: 'three',
        version: '0.170.0',
        integrity:
          'sha512-FQK+LEpYc0fBD+J8g6oSEyyNzjp+Q7Ks1C568WWaoMRLW+TkNNWmenWeGgJjV105Gd+p/2ql1ZcjYvNiPZBhuQ==',
        licence: 'MIT',
      },
      directory: '',
    },
  },
  entry: 'index.html',
  files: { 'index.html': threePage, 'main.js': threeScript },
  measured: { objects: 378, hosts: 2, wireBytes: 389_458, types: { html: 1, js: 377 } },
};
