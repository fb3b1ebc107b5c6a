/**
 * Makes `dist-link/`, the package h2h3-link: the rooms of h2h3 that it needs as JavaScript for Node 20 and later, and the programs in C
 * for every kind of machine. Nothing of it is a copy of code in this repository.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { emulatorSourceDir } from '../harness/network/emulator-programs.ts';
import { compile } from './compile.ts';
import { buildStaticPrograms } from './static-programs.ts';

const projectDir = join(import.meta.dirname, '..');
const linkDir = join(projectDir, 'dist-link');
const distDir = join(linkDir, 'dist');
const templateDir = join(import.meta.dirname, 'link');
/** As `tsconfig.link.json` has it. */
const typesDir = join(projectDir, '.h2h3', 'link-types');

/** Modules that are started as programs, or imported, by these names. */
const entries = {
  main: 'src/link/main.ts',
  index: 'src/link/index.ts',
  playwright: 'src/app/playwright/playwright.ts',
  reaper: 'src/core/system/processes/reaper.ts',
  deputy: 'src/core/system/processes/deputy.ts',
};

/** What Node 20 lacks of what the modules use. */
const polyfills = [
  'core-js/actual/map/group-by.js',
  'core-js/actual/url/parse.js',
  'core-js/actual/regexp/escape.js',
];

/** Declarations of modules and of all that they import. @throws Error where they need those of another package */
function copyTypes(modules: readonly string[]): void {
  const wanted = new Set(modules);
  for (const name of wanted) {
    const file = `${name}.d.ts`;
    const text = readFileSync(join(typesDir, file), 'utf8');
    for (const [, from = ''] of text.matchAll(
      /^(?:(?:im|ex)port [^;]*? from |[^*\n]*\bimport\()'([^']+)'/gm,
    )) {
      if (from.startsWith('.')) wanted.add(join(dirname(name), from).replace(/\.ts$/, ''));
      else if (from !== 'playwright/test') throw new Error(`${file} needs the types of ${from}`);
    }
    mkdirSync(dirname(join(distDir, 'types', file)), { recursive: true });
    cpSync(join(typesDir, file), join(distDir, 'types', file));
  }
}

rmSync(linkDir, { recursive: true, force: true });
mkdirSync(distDir, { recursive: true });
await build({
  entryPoints: Object.entries(entries).map(([out, file]) => ({ in: join(projectDir, file), out })),
  outdir: distDir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  minifySyntax: true,
  minifyWhitespace: true,
  inject: polyfills.map((name) => join(projectDir, 'node_modules', name)),
  external: ['playwright', '@playwright/test'],
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
});
// Of all modules it would take six times as long: `npm run types` checks those.
compile('tsconfig.link.json');
copyTypes(['src/link/index', 'src/app/playwright/playwright']);
const sourceDir = join(distDir, 'emulator');
cpSync(emulatorSourceDir, sourceDir, { recursive: true, filter: (file) => !/\.(ts|js)$/.test(file) });
await buildStaticPrograms(join(sourceDir, 'built'));

/** Addresses of the repository are there in a release alone. */
interface OwnPackage {
  readonly version: string;
  readonly repository?: object;
  readonly homepage?: string;
  readonly bugs?: object;
}
const own = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as OwnPackage;
const { version, repository, homepage, bugs } = own;
const template = JSON.parse(readFileSync(join(templateDir, 'package.json'), 'utf8')) as object;
writeFileSync(
  join(linkDir, 'package.json'),
  `${JSON.stringify({ ...template, version, repository, homepage, bugs }, null, 2)}\n`,
);
for (const file of ['README.md', 'CHANGELOG.md']) cpSync(join(templateDir, file), join(linkDir, file));
cpSync(join(projectDir, 'LICENSE'), join(linkDir, 'LICENSE'));
const launcher = join(linkDir, 'src', 'cli', 'launcher.js');
mkdirSync(dirname(launcher), { recursive: true });
cpSync(join(templateDir, 'launcher.js'), launcher);
