import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the package keeps what a checkout bundles when it is asked for. */
const builtDir = join(dirname(fileURLToPath(import.meta.url)), 'built');

/** The file is named from where the package's own entry lies. */
type Library = readonly [packageName: string, file: string];

/** What a report page needs before its own script, in order. */
const chartFiles: readonly Library[] = [
  ['chart.js', 'chart.umd.min.js'],
  ['@sgratzl/chartjs-chart-boxplot', 'index.umd.min.js'],
  ['chartjs-chart-matrix', 'chartjs-chart-matrix.min.js'],
];

/** The same of pages with flame graphs. */
const flameFiles: readonly Library[] = [
  ['d3-selection', '../dist/d3-selection.min.js'],
  ['d3-flame-graph', 'dist/d3-flamegraph.min.js'],
];

/** The page's own script: the TypeScript modules below `client/<entry>` in one, as a program that leaves nothing behind. */
export async function clientScript(entry: string): Promise<string> {
  const built = join(builtDir, entry.replace(/\.ts$/, '.js'));
  if (existsSync(built)) return readFile(built, 'utf8');
  return bundleClient(join(dirname(fileURLToPath(import.meta.url)), 'client', entry));
}

/** Bundles TypeScript for browsers; esbuild is there in a checkout only. */
export async function bundleClient(entry: string): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    absWorkingDir: dirname(entry),
    logLevel: 'silent',
  });
  // The names of modules as comments would change with the folder in which it is built.
  return (outputFiles[0]?.text ?? '').replaceAll(/^ {2}\/\/ \S+\.ts$\n/gm, '');
}

/** UMD builds, without the addresses of their source maps. */
async function textsOf(libraries: readonly Library[]): Promise<string[]> {
  const require = createRequire(import.meta.url);
  const texts = await Promise.all(
    libraries.map(([name, file]) => {
      const built = join(builtDir, basename(file));
      return readFile(existsSync(built) ? built : join(dirname(require.resolve(name)), file), 'utf8');
    }),
  );
  return texts.map((text) => text.replace(/^\/\/# sourceMappingURL=.*$/gm, '').trim());
}

/** What draws charts. */
export function chartLibraries(): Promise<string[]> {
  return textsOf(chartFiles);
}

/** What draws flame graphs. */
export function flameLibraries(): Promise<string[]> {
  return textsOf(flameFiles);
}

/** Every file that the package needs in `built/`, by name. @param entries of `client/` that pages name */
export async function builtFiles(entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of entries) files.set(entry.replace(/\.ts$/, '.js'), await clientScript(entry));
  const libraries = [...chartFiles, ...flameFiles];
  const texts = await textsOf(libraries);
  libraries.forEach(([, file], index) => files.set(basename(file), texts[index] ?? ''));
  return files;
}
