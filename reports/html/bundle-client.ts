import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the package keeps what a checkout bundles when it is asked for. */
const builtDir = join(dirname(fileURLToPath(import.meta.url)), 'built');

/** What a report page needs before its own script, in order; the file of each in the package. */
const libraries = [
  ['chart.js', 'chart.umd.min.js'],
  ['@sgratzl/chartjs-chart-boxplot', 'index.umd.min.js'],
  ['chartjs-chart-matrix', 'chartjs-chart-matrix.min.js'],
] as const;

/**
 * What draws flame graphs, as a page is to have it. The package's own build for pages brings a style sheet along by script, which
 * the policy of a page forbids; its rules stand in `styles/why.css`.
 */
const flameSource = `import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
Object.assign(globalThis, { flamegraph, d3: { select } });`;
const flameFile = 'd3-flame-graph.js';

/** Scripts of pages by their entry: a process that writes several pages bundles each once. */
const scripts = new Map<string, Promise<string>>();

/** The page's own script: the TypeScript modules below `client/<entry>` in one, as a program that leaves nothing behind. */
export function clientScript(entry: string): Promise<string> {
  const known = scripts.get(entry) ?? makeClientScript(entry);
  scripts.set(entry, known);
  return known;
}

async function makeClientScript(entry: string): Promise<string> {
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

/** What draws flame graphs, small, for pages that have some. */
export async function flameLibrary(): Promise<string> {
  const built = join(builtDir, flameFile);
  if (existsSync(built)) return readFile(built, 'utf8');
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: flameSource, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    loader: { '.css': 'empty' },
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

/** The UMD builds that the page needs before its own script, without the addresses of their source maps. */
export async function chartLibraries(): Promise<string[]> {
  const require = createRequire(import.meta.url);
  const texts = await Promise.all(
    libraries.map(([name, file]) => {
      const built = join(builtDir, file);
      return readFile(existsSync(built) ? built : join(dirname(require.resolve(name)), file), 'utf8');
    }),
  );
  return texts.map((text) => text.replace(/^\/\/# sourceMappingURL=.*$/gm, '').trim());
}

/** Every file that the package needs in `built/`, by name. @param entries of `client/` that pages name */
export async function builtFiles(entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of entries) files.set(entry.replace(/\.ts$/, '.js'), await clientScript(entry));
  const texts = await chartLibraries();
  libraries.forEach(([, file], index) => files.set(file, texts[index] ?? ''));
  files.set(flameFile, await flameLibrary());
  return files;
}
