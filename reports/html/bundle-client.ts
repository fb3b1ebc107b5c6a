import { readFile } from 'node:fs/promises';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const require = createRequire(import.meta.url);
// The two forms that these modules use; anything else is left in place and is a syntax error in the page's test.
const importLine = /^import\s+(type\s+)?(\{[^}]*\})\s+from\s+'(\.[^']+)';$/gm;
const typeImport = /^import\s+type\s[^;]*;$/gm;
const exported = /^export (?:async )?(?:function|const|class) (\w+)/gm;

/** One module as a function that is called once: its exports by name, its imports taken from those before it. */
function wrap(file: string, source: string, root: string): string {
  const idOf = (path: string): string => JSON.stringify(relative(root, path));
  const untyped = stripTypeScriptTypes(source.replace(typeImport, ''), { mode: 'strip' });
  const names = [...untyped.matchAll(exported)].map(([, name]) => name);
  const body = untyped
    .replace(importLine, (_line, _type, bindings: string, target: string) => {
      const destructured = bindings.replace(/\s+as\s+/g, ': ').replace(/\s+/g, ' ');
      return `const ${destructured} = modules[${idOf(resolve(dirname(file), target))}];`;
    })
    .replace(/^export /gm, '')
    .replace(/^\s*\n/gm, '');
  return `modules[${idOf(file)}] = (() => {\n${body}return { ${names.join(', ')} };\n})();\n`;
}

/** Modules in the order in which they must run: what is imported comes before what imports it. */
async function collect(file: string, root: string, seen: Set<string>): Promise<string[]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = await readFile(file, 'utf8');
  const modules: string[] = [];
  for (const [, typeOnly, , target] of source.matchAll(importLine)) {
    if (typeOnly === undefined && target !== undefined) {
      modules.push(...(await collect(resolve(dirname(file), target), root, seen)));
    }
  }
  return [...modules, wrap(file, source, root)];
}

/** The page's own script: the TypeScript modules below `entry`, types stripped, in order of their imports. */
export async function bundleClient(entry: string): Promise<string> {
  const modules = await collect(entry, dirname(entry), new Set());
  return `(() => {\n'use strict';\nconst modules = {};\n${modules.join('')}})();\n`;
}

/** The UMD builds that the page needs before its own script, without the addresses of their source maps. */
export async function chartLibraries(): Promise<string[]> {
  const files = [
    join(dirname(require.resolve('chart.js')), 'chart.umd.min.js'),
    join(dirname(require.resolve('@sgratzl/chartjs-chart-boxplot')), 'index.umd.min.js'),
    join(dirname(require.resolve('chartjs-chart-matrix')), 'chartjs-chart-matrix.min.js'),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.map((text) => text.replace(/^\/\/# sourceMappingURL=.*$/gm, '').trim());
}
