import { swaggerDocument } from './swagger-document.ts';
import type { PageSource } from './page-source.ts';

const initializer = `window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#swagger-ui',
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: 'StandaloneLayout',
    validatorUrl: null,
  });
};
`;

/** Swagger UI over an interface description of our own: few, large scripts, then a JSON document. */
export const swagger: PageSource = {
  id: 'swagger',
  title: 'Swagger UI',
  own: 'swagger',
  mounts: {
    swagger: {
      package: {
        name: 'swagger-ui-dist',
        version: '5.17.14',
        integrity:
          'sha512-CVbSfaLpstV65OnSjbXfVd6Sta3q3F7Cj/yYuvHMp1P90LztOLs6PfUnKEVAeiIVQt9u2SaPwv0LiH/OyMjHRw==',
        licence: 'Apache-2.0',
      },
      directory: '',
    },
  },
  entry: 'index.html',
  files: { 'swagger-initializer.js': initializer, 'openapi.json': swaggerDocument() },
  askedByScripts: ['openapi.json'],
  measured: { objects: 7, hosts: 2, wireBytes: 451_096, types: { html: 1, css: 2, js: 3, json: 1 } },
};
