import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  // Named through the module, because Node before 22.13 lacks it and may still load this file.
  return nodeModule.stripTypeScriptTypes(source).replace(/(\bfrom\s+')(\.{1,2}\/[^']+)\.ts(?=')/g, '$1$2.js');
}

/** The folder above a module that holds `package.json`: the checkout, or the installed package. */
export function packageDirOf(from: string): string {
  let directory = dirname(fileURLToPath(from));
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory)
    directory = dirname(directory);
  return directory;
}
