/**
 * Makes `dist/`, what the npm package holds: compiled JavaScript with types and source maps, the data files next to it,
 * the scripts of report pages in one piece each, and the built files of the libraries that pages need.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { builtFiles } from '../reports/html/bundle-client.ts';
import { catalogueEntry, publishedDocuments } from '../src/app/describe/documents.ts';
import { packageDirOf } from '../src/core/system/module-file.ts';
import { clientEntries } from './client-entries.ts';
import { compile } from './compile.ts';
import { buildStaticPrograms } from './static-programs.ts';

const projectDir = join(import.meta.dirname, '..');
const distDir = join(projectDir, 'dist');

/** What programs read next to their modules: sources in C and Go, style sheets, pages, shapes, add-ons, lists. */
function dataFiles(): string[] {
  return globSync('{src,harness,sites,video,reports}/**/*.*', {
    cwd: projectDir,
    exclude: ['reports/examples/**', 'reports/pictures/**', '**/__pycache__/**'],
  }).filter((file) => !/\.(ts|js|md)$/.test(file));
}

function put(name: string, write: (target: string) => void): void {
  const target = join(distDir, name);
  mkdirSync(dirname(target), { recursive: true });
  write(target);
}

rmSync(distDir, { recursive: true, force: true });
compile('tsconfig.json');
compile('tsconfig.page.json');
await buildStaticPrograms(join(distDir, 'harness', 'network', 'emulator', 'built'));
for (const file of dataFiles()) put(file, (target) => copyFileSync(join(projectDir, file), target));
for (const [name, text] of await builtFiles(clientEntries(projectDir)))
  put(join('reports', 'html', 'built', name), (target) => writeFileSync(target, text));
/** What the library for flame graphs is bundled of. */
const flamePackages = [
  'd3-flame-graph',
  'd3-array',
  'd3-color',
  'd3-dispatch',
  'd3-ease',
  'd3-format',
  'd3-hierarchy',
  'd3-interpolate',
  'd3-scale',
  'd3-selection',
  'd3-time',
  'd3-time-format',
  'd3-timer',
  'd3-transition',
  'internmap',
];
/** What of other projects the package holds copies of, with its licence. */
const copied: readonly { name: string; licence: string; file?: string; folder: string }[] = [
  { name: 'dashjs', licence: 'LICENSE.md', file: 'dist/modern/umd/dash.mediaplayer.min.js', folder: 'video' },
  { name: 'chart.js', licence: 'LICENSE.md', folder: 'reports/html/built' },
  { name: '@sgratzl/chartjs-chart-boxplot', licence: 'LICENSE', folder: 'reports/html/built' },
  { name: 'chartjs-chart-matrix', licence: 'LICENSE', folder: 'reports/html/built' },
  ...flamePackages.map((name) => ({ name, licence: 'LICENSE', folder: 'reports/html/built' })),
];
for (const { name, licence, file, folder } of copied) {
  const directory = packageDirOf(import.meta.resolve(name));
  put(join(folder, `${basename(name)}.LICENSE`), (target) => copyFileSync(join(directory, licence), target));
  if (file !== undefined)
    put(join(folder, basename(file)), (target) => copyFileSync(join(directory, file), target));
}

/** Where a published version is found by its name, for editors that fetch schemas. */
const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string };
const schemaAddress = `https://unpkg.com/h2h3@${version}/dist/schemas/plan-file.schema.json`;
const schemas = new Map<string, object>(
  publishedDocuments().map(({ id, schema }) => [`${id}.schema.json`, schema]),
);
schemas.set('catalogue-entry.json', catalogueEntry(schemaAddress));
for (const [name, schema] of schemas)
  put(join('schemas', name), (target) => writeFileSync(target, `${JSON.stringify(schema, null, 1)}\n`));
