/**
 * Removes from `node_modules` of a checkout what nothing here reads, a third of what npm unpacks; npm runs it after
 * `npm ci` and `npm install`. Plain JavaScript, for any Node that npm runs on.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(fileURLToPath(new URL('.', import.meta.url)), '..', 'node_modules');

/**
 * The names in a folder; none where there is no such folder.
 *
 * @param {string} folder
 */
function folderNames(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Folders below `node_modules`, and what is kept of them. */
const slimmed = [
  // Every player in every form, with debug builds: one built file goes into pages, the other is what Node resolves.
  {
    folder: 'dashjs/dist',
    kept: ['modern/umd/dash.mediaplayer.min.js', 'modern/esm/dash.all.min.js'],
  },
  // Traces that the package's own tests read.
  { folder: '@paulirish/trace_engine/test', kept: [] },
  // Sources next to what was built of them.
  { folder: 'puppeteer-core/src', kept: [] },
  { folder: 'zod/src', kept: [] },
  // TypeScript 7 checks and compiles; lint and tests use this one as a library.
  {
    folder: 'typescript/lib',
    kept: folderNames(join(packages, 'typescript/lib')).filter((name) => !name.startsWith('_')),
  },
  // Where Lighthouse reports its errors to: it loads this only when it is asked to.
  ...folderNames(join(packages, '@sentry')).map((name) => ({ folder: `@sentry/${name}/build`, kept: [] })),
  // For bundlers: Node takes what is in dist-cjs.
  ...['@aws-sdk', '@smithy'].flatMap((scope) =>
    folderNames(join(packages, scope)).map((name) => ({ folder: `${scope}/${name}/dist-es`, kept: [] })),
  ),
];

/**
 * What is in a folder, by paths below it; nothing where there is no such folder.
 *
 * @param {string} folder
 */
function entriesOf(folder) {
  return existsSync(folder) ? readdirSync(folder, { encoding: 'utf8', recursive: true }) : [];
}

let removedBytes = 0;

/**
 * Removes what is below `node_modules`; folders empty themselves before they are removed.
 *
 * @param {string} path
 */
function remove(path) {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return;
  if (!entry.isDirectory()) removedBytes += entry.size;
  rmSync(path, { recursive: true, force: true });
}

// Files before the folders that hold them, so that each is counted.
for (const { folder, kept } of slimmed)
  for (const entry of entriesOf(join(packages, folder)).reverse())
    if (!kept.some((file) => `${file}/`.startsWith(`${entry}/`))) remove(join(packages, folder, entry));

// Source maps of other people's code are for their debuggers.
for (const entry of entriesOf(packages)) if (/\.[cm]?[jt]s\.map$/.test(entry)) remove(join(packages, entry));

if (removedBytes > 0)
  process.stderr.write(
    `h2h3: removed ${Math.round(removedBytes / 1e6)} MB from node_modules that nothing here reads.\n`,
  );
