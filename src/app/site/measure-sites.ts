import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pageWorkloads, withMeasure, type PageMeasure } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { loadPageOnce } from './load-page-once.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';

export interface MeasuredSite {
  readonly id: string;
  readonly before: Partial<PageMeasure>;
  readonly after: PageMeasure;
  /** Addresses that came to nothing. */
  readonly missing: readonly string[];
  /** The file that holds the figures, where they are others than before. */
  readonly changedFile: string | null;
}

export interface MeasureSitesOptions {
  /** Pages by id, with or without `page-`. None: all of them. */
  readonly ids?: readonly string[] | undefined;
  /** Browser. Default: the best found. */
  readonly client?: string | undefined;
}

/** Loads real pages once each and writes what came into their files. @throws H2h3Error `usage` outside a checkout, or for a page that is none */
export async function measureSites(
  { ids = [], client = 'best' }: MeasureSitesOptions,
  context: AppContext,
): Promise<MeasuredSite[]> {
  const folder = pagesFolder(context.projectDir);
  const pages = pageWorkloads();
  const chosen = ids.map((id) => {
    const page = pages.find((known) => [known.id, known.id.replace('page-', '')].includes(id));
    if (page !== undefined) return page;
    throw new H2h3Error('usage', `unknown page "${id}"`, {
      context: { expected: pages.map((known) => known.id).join(', '), got: id },
      next: didYouMean(
        id,
        pages.map((known) => known.id),
      ),
    });
  });
  const setup = await setupContextOf(context);
  const measured: MeasuredSite[] = [];
  for (const page of chosen.length > 0 ? chosen : pages) {
    const { measured: after, missing } = await loadPageOnce(page, client, setup);
    const file = join(folder, `${page.id.replace('page-', '')}.ts`);
    const text = await readFile(file, 'utf8');
    const replaced = withMeasure(text, after);
    if (replaced === undefined)
      throw new H2h3Error('bad-input', `${file} states no figures that could be replaced`, {
        context: { file, expected: 'measured: { objects: …, hosts: …, wireBytes: …, types: { … } },' },
      });
    const { objectCount: objects, hostCount: hosts, wireBytes, types } = page.facts;
    const before = { objects, hosts, wireBytes, types } as Partial<PageMeasure>;
    const isAsBefore = isDeepStrictEqual(before, after);
    if (!isAsBefore) writeWhole(file, replaced);
    measured.push({ id: page.id, before, after, missing, changedFile: isAsBefore ? null : file });
  }
  return measured;
}

/** Where the files of real pages are. @throws H2h3Error `usage` in an installed package, which has none */
export function pagesFolder(projectDir: string): string {
  const folder = join(projectDir, 'sites', 'pages');
  if (existsSync(catalogueIn(folder))) return folder;
  throw new H2h3Error('usage', 'sites are added in a checkout of h2h3, and this is an installed package', {
    next: 'Clone the repository; a page that only you need can be recorded: `npx h2h3 record https://…`.',
  });
}

/** The list of the pages of a checkout, as text to be changed; a package has none. */
export function catalogueIn(folder: string): string {
  return `${folder}/catalogue.ts`;
}
