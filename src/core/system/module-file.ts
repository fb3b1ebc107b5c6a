import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { H2h3Error } from '../model/errors.ts';
import { writeWhole } from './write-whole.ts';

/**
 * The file of another module, for starting it as a program: TypeScript in a checkout, JavaScript in the package.
 *
 * @param name relative, as an import would have it, ending in `.ts`
 * @param from `import.meta.url` of the asking module
 */
export function moduleFile(name: string, from: string): string {
  const file = fileURLToPath(new URL(name, from));
  return from.endsWith('.js') ? file.replace(/\.ts$/, '.js') : file;
}

/**
 * A module of page code as a browser takes it: without types, its imports naming `.js` files.
 *
 * @param name relative, as an import would have it, ending in `.ts`
 * @param from `import.meta.url` of the asking module
 */
export function pageModule(name: string, from: string): string {
  const file = moduleFile(name, from);
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.ts') ? withoutTypes(text) : text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

/** TypeScript as a browser takes it. */
export function withoutTypes(source: string): string {
  return stripped(source).replace(/(\bfrom\s+')(\.{1,2}\/[^']+)\.ts(?=')/g, '$1$2.js');
}

/**
 * Node's compiler of types takes a third of the CPU time in which a trial worker starts. What it gave is kept with the modules that
 * Node keeps compiled, of the same version of Node, and is known by what it was made of.
 */
function stripped(source: string): string {
  // Named through the module, because Node before 22.13 lacks them and may still load this file.
  const folder = nodeModule.getCompileCacheDir();
  if (folder === undefined) return nodeModule.stripTypeScriptTypes(source);
  const file = join(folder, `${createHash('sha256').update(source).digest('hex')}.page.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = nodeModule.stripTypeScriptTypes(source);
  try {
    writeWhole(file, text);
  } catch (thrown) {
    // A folder that cannot be written is passed over, as Node passes over it.
    if (!(thrown instanceof H2h3Error)) throw thrown;
  }
  return text;
}

/** The folder above a module that holds `package.json`: the checkout, or the installed package. */
export function packageDirOf(from: string): string {
  let directory = dirname(fileURLToPath(from));
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory)
    directory = dirname(directory);
  return directory;
}
