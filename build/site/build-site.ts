/**
 * `npm run site`: the documentation as a site in results/site, with the sample reports. Fails where a link leads nowhere, or where
 * its search does not find a word that pages have.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';

const projectDir = join(import.meta.dirname, '..', '..');
const outDir = join(projectDir, 'results', 'site');
/** Where the list of the sample reports has its page. */
const samplesDir = 'reports/examples';
const searchedWord = 'congestion';

function run(program: string, words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { cwd: projectDir, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${error?.message ?? status}`);
}

function addSamples(): void {
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'tests/support/make-examples.ts']);
  mkdirSync(join(outDir, samplesDir), { recursive: true });
  for (const name of globSync('*.html', { cwd: join(projectDir, 'results', 'examples') }))
    copyFileSync(join(projectDir, 'results', 'examples', name), join(outDir, samplesDir, name));
}

/** The file that a server answers an address of the site with; undefined where there is none. */
function fileOf(address: string): string | undefined {
  return ['', '.html', 'index.html', '/index.html']
    .map((ending) => join(outDir, address + ending))
    .find((file) => existsSync(file) && /\.\w+$/.test(file));
}

const idsIn = new Map<string, ReadonlySet<string>>();

function hasId(file: string, id: string): boolean {
  if (!file.endsWith('.html')) return true;
  const ids =
    idsIn.get(file) ??
    new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, found = '']) => found));
  idsIn.set(file, ids);
  return ids.has(decodeURIComponent(id));
}

/** Why a link of a page leads nowhere; undefined where it leads somewhere, or out of the site. */
function deadLinkReason(page: string, link: string): string | undefined {
  // Files of the repository are known to be there before the site is made.
  if (/^(?:[a-z]+:|\/\/)/i.test(link) || link.startsWith('/blob/main/')) return undefined;
  const [address = '', id = ''] = link.split('#');
  const place = address.split('?', 1)[0] ?? '';
  const target = place === '' ? page : posix.join('/', place.startsWith('/') ? '' : dirname(page), place);
  const file = fileOf(target);
  if (file === undefined) return 'no such page';
  return id === '' || hasId(file, id) ? undefined : `${target} has no #${id}`;
}

function checkLinks(): void {
  const pages = globSync('**/*.html', { cwd: outDir });
  let count = 0;
  const dead = pages.flatMap((page) => {
    const isReport = page.startsWith(`${samplesDir}/`) && !page.endsWith('README.html');
    // Reports fill their lists as they are opened: what leads within them has its own tests.
    const links = [...readFileSync(join(outDir, page), 'utf8').matchAll(/<a [^>]*?href="([^"]+)"/g)]
      .map(([, link = '']) => link.replaceAll('&amp;', '&'))
      .filter((link) => !isReport || !link.startsWith('#'));
    count += links.length;
    return links.flatMap((link) => {
      const reason = deadLinkReason(page, link);
      return reason === undefined ? [] : [`${page}: ${link}: ${reason}`];
    });
  });
  process.stdout.write(`${count} links on ${pages.length} pages, ${dead.length} dead\n`);
  if (dead.length > 0) throw new Error(dead.join('\n'));
}

/** The index that the site's search reads: its words and the pages that they stand on. */
interface SearchIndex {
  readonly documentIds: Readonly<Record<string, string>>;
  readonly index: readonly (readonly [string, Readonly<Record<string, Readonly<Record<string, number>>>>])[];
}

async function checkSearch(): Promise<void> {
  const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: outDir });
  const { default: text } = (await import(pathToFileURL(join(outDir, file)).href)) as { default: string };
  const { documentIds, index } = JSON.parse(text) as SearchIndex;
  const fields = index.find(([word]) => word === searchedWord)?.[1] ?? {};
  const found = new Set(
    Object.values(fields).flatMap((documents) =>
      Object.keys(documents).map((id) => documentIds[id]?.replace(/#.*/, '') ?? ''),
    ),
  );
  process.stdout.write(`search finds "${searchedWord}" on ${found.size} pages\n`);
  if (found.size === 0) throw new Error(`search does not find "${searchedWord}"`);
}

run('npx', ['--yes', 'vitepress@1.6.4', 'build', 'build/site']);
addSamples();
checkLinks();
await checkSearch();
