import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageFacts } from '../../../harness/tools/npm-registry.ts';
import {
  fetchPackage,
  isPageId,
  pageEntryText,
  pageIdOf,
  pageWorkload,
  pageWorkloads,
  withPageInCatalogue,
  type PageDraft,
  type PageMeasure,
} from '../../../sites/index.ts';
import { H2h3Error, hasErrno } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { prepareContextOf } from '../run/prepare-run.ts';
import { loadPageOnce, type LoadedPage } from './load-page-once.ts';
import { catalogueIn, pagesFolder } from './measure-sites.ts';

export interface AddSiteOptions {
  /** An npm package, with or without a version: `soft-ui-dashboard`, `@tabler/preview@1.2.0`. */
  readonly packageSpec: string;
  /** Path of the page in the package. */
  readonly page: string;
  /** Id of the page, without `page-`. Default: after the package and the page. */
  readonly id?: string | undefined;
  /** Default: the page's own title. */
  readonly title?: string | undefined;
  /** Folder of the package that is the root of the page's host. Default: the package's. */
  readonly root?: string | undefined;
  /** Browser that loads it once. Default: the best found. */
  readonly client?: string | undefined;
}

export interface AddedSite {
  readonly workload: string;
  readonly files: readonly string[];
  readonly measured: PageMeasure;
  /** References to other hosts and to files that the package does not hold; they were taken out of the page. */
  readonly stripped: readonly string[];
  /** Addresses that scripts of the page asked for and that are not there. */
  readonly missing: readonly string[];
}

/**
 * Makes a page of an npm package a workload that ships: asks the registry for version, digest and licence, loads the
 * page once, and writes its file and its line in the catalogue, figures included.
 *
 * @throws H2h3Error `usage` for a page that the package does not hold, or an id that is taken
 */
export async function addSite(options: AddSiteOptions, context: AppContext): Promise<AddedSite> {
  const folder = pagesFolder(context.projectDir);
  const setup = await setupContextOf(context);
  const pinned = await packageFacts(options.packageSpec, setup);
  const { root = '', client = 'best' } = options;
  const entry = options.page.replace(/^\.?\//, '');
  const id = options.id ?? pageIdOf(pinned.name.replace(/^@[^/]+\//, ''), entry);
  requireNewId(id, folder);
  const directory = await fetchPackage(pinned, prepareContextOf(setup, 0));
  const html = await pageText(join(directory, root), entry);
  const draft: PageDraft = {
    id,
    title: options.title ?? titleOf(html) ?? id,
    own: 'page',
    entry,
    mounts: { page: { package: pinned, directory: root } },
  };
  const asked = await loadScriptRequests(draft, join(directory, root), (page) =>
    loadPageOnce(pageWorkload({ ...page, measured: unmeasured }), client, setup),
  );
  const { measured, missing, prepared } = asked.loaded;
  const file = join(folder, `${id}.ts`);
  const catalogue = catalogueIn(folder);
  writeWhole(file, pageEntryText(asked.page, measured));
  writeWhole(catalogue, withPageInCatalogue(await readFile(catalogue, 'utf8'), id));
  const strippedFile = join(dirname(prepared.roots[0]?.directory ?? ''), 'stripped.json');
  const stripped = JSON.parse(await readFile(strippedFile, 'utf8')) as string[];
  return { workload: `page-${id}`, files: [file, catalogue], measured, stripped, missing };
}

const unmeasured: PageMeasure = { objects: 0, hosts: 0, wireBytes: 0, types: {} };
/** What scripts ask for may hold scripts again; no page that is worth measuring needs more rounds. */
const maxRounds = 4;

/**
 * Files that only scripts name are found by loading: what is not there and is in the package is served next time.
 *
 * @param root folder that the page's own host serves
 */
async function loadScriptRequests(
  draft: PageDraft,
  root: string,
  load: (page: PageDraft) => Promise<LoadedPage>,
): Promise<{ readonly page: PageDraft; readonly loaded: LoadedPage }> {
  let page = draft;
  for (let round = 1; ; round++) {
    const loaded = await load(page);
    const known = page.askedByScripts ?? [];
    const held = loaded.missing
      .map((address) => new URL(address))
      .filter(({ hostname }) => hostname === `www.${page.id}.h2h3.test`)
      .map(({ pathname }) => decodeURIComponent(pathname.slice(1)))
      .filter((path) => !known.includes(path) && existsSync(join(root, path)));
    if (held.length === 0 || round === maxRounds) return { page, loaded };
    page = { ...page, askedByScripts: [...known, ...new Set(held)] };
  }
}

function requireNewId(id: string, folder: string): void {
  if (!isPageId(id))
    throw new H2h3Error('usage', `"${id}" cannot name a page`, {
      context: { expected: 'small letters, digits and single hyphens, beginning with a letter', got: id },
    });
  if (!existsSync(join(folder, `${id}.ts`)) && !pageWorkloads().some((page) => page.id === `page-${id}`))
    return;
  throw new H2h3Error('usage', `there is a page called ${id}`, {
    next: 'Give another name with --id, or measure it again: `npx h2h3 sites measure ' + id + '`.',
  });
}

async function pageText(root: string, entry: string): Promise<string> {
  try {
    return await readFile(join(root, entry), 'utf8');
  } catch (cause) {
    if (!hasErrno(cause, 'ENOENT') && !hasErrno(cause, 'EISDIR')) throw cause;
    const files = existsSync(root) ? await readdir(root, { recursive: true }) : [];
    const pages = files.filter((file) => /\.html?$/i.test(file));
    throw new H2h3Error('usage', `the package has no page ${entry}`, {
      context: {
        expected: pages.slice(0, maxPagesNamed).join(', ') || 'a package that holds pages',
        got: entry,
      },
      next: didYouMean(entry, pages),
    });
  }
}

const maxPagesNamed = 20;

function titleOf(html: string): string | undefined {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.replaceAll(/\s+/g, ' ').trim();
  return title === '' ? undefined : title;
}
