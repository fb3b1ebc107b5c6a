import { H2h3Error } from '../src/core/model/errors.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomSite, ReplayOptions, Workload } from '../src/core/model/workload.ts';
import { archiveWorkload } from './archive/archive-workload.ts';
import { pageSources } from './pages/catalogue.ts';
import { pageWorkload } from './pages/page-workload.ts';
import { onDevice, pageOnDevice } from './on-device.ts';
import { pageOfRepeatView, repeatView } from './repeat-view.ts';
import { urlWorkload } from './pages/url-workload.ts';
import { lateImageWorkload } from './scheduling/late-image-workload.ts';
import { replicaWorkload } from './replicas/replica-workload.ts';
import { readShapeFile } from './replicas/shape-file.ts';
import { shapeFromLine, shapeToLine } from './replicas/shape-lines.ts';
import type { SiteShape } from './replicas/site-shape.ts';
import { shippedShapes } from './replicas/shipped-shapes.ts';
import { didYouMean } from '../src/core/model/nearest-name.ts';

/** Thirds of the shipped replicas by encoded bytes. */
export const sizeClasses = ['small', 'medium', 'large'] as const;
export type SizeClass = (typeof sizeClasses)[number];

/** Names in a default run: enough kinds of pages for a verdict, few enough for a few minutes. */
const defaultPages = ['page-tabler-index', 'page-admin-lte', 'page-agency', 'page-three-modules'];
const defaultReplicaCount = 4;
/** Where `record` puts what it makes. */
const archivesFolder = join('.h2h3', 'archives');

/**
 * Page workloads by what `--sites` was given, separated by commas: `all` (the hundred replicas), `pages` (every real
 * page), `default`, a size class (`small`, `medium`, `large` replicas), a name (`page-…`, `replica-…`, or either
 * without its prefix), an https address, a file in the site-shapes format (a name that ends in `.json`), or the folder of
 * a recorded site (a path, or its name below `.h2h3/archives`). After any but an address `@repeat` means second visits,
 * `@pixel-5` and the like that device.
 *
 * @throws H2h3Error `usage` for a name that is not known, `bad-input` for a file that cannot be read.
 */
export function selectSites(spec: string, replay: ReplayOptions = {}): readonly Workload[] {
  const items = spec.split(',').map((item) => item.trim());
  const chosen = new Map<string, Workload>();
  for (const item of items) {
    for (const workload of selectItem(item, replay)) chosen.set(workload.id, workload);
  }
  return [...chosen.values()];
}

/** Four real pages and four replicas, one from each quarter by size. */
export function defaultSites(): readonly Workload[] {
  const bySize = replicasBySize();
  const replicas = Array.from({ length: defaultReplicaCount }, (_, quarter) => {
    const index = Math.floor(((quarter + 0.5) / defaultReplicaCount) * bySize.length);
    return bySize[index];
  });
  const pages = pageSources.map(pageWorkload).filter(({ id }) => defaultPages.includes(id));
  return [...pages, ...replicas.filter((workload) => workload !== undefined)];
}

/** A workload that a plan keeps the making of. @throws H2h3Error `bad-input` when a recorded site is not the one it was. */
export function customSite(site: CustomSite): Workload {
  if (site.kind === 'replica') return shapedReplica(shapeFromLine(site.shape));
  const workload = archiveWorkload(site.directory, site.options);
  if (workload.custom?.kind === 'archive' && workload.custom.indexHash === site.indexHash) return workload;
  throw new H2h3Error(
    'bad-input',
    `The recording in ${site.directory} is not the one that this run began with`,
    {
      context: {
        file: join(site.directory, 'index.json'),
        expected: `SHA-256 ${site.indexHash}`,
        got: 'another',
      },
      next: 'Put the recording back, or begin a new run.',
    },
  );
}

function shapedReplica(shape: SiteShape): Workload {
  const workload = replicaWorkload(shape);
  return { ...workload, custom: { kind: 'replica', id: workload.id, shape: shapeToLine(shape) } };
}

/** Folder of the recorded site that `item` means: a path, or a name below the archives' own folder. */
function archiveFolder(item: string): string | undefined {
  const places = [item, join(archivesFolder, item.replace(/^archive-/, ''))];
  return places.find((place) => existsSync(join(place, 'index.json')));
}

function selectItem(item: string, replay: ReplayOptions): readonly Workload[] {
  const page = pageOfRepeatView(item);
  if (page !== undefined && !item.startsWith('https://')) return selectItem(page, replay).map(repeatView);
  const shown = pageOnDevice(item);
  if (shown !== undefined && !item.startsWith('https://'))
    return selectItem(shown.page, replay).map((workload) => onDevice(workload, shown.device));
  if (item === 'all') return shippedShapes().map(replicaWorkload);
  if (item === 'pages') return pageSources.map(pageWorkload);
  if (item === 'default') return defaultSites();
  const sizeClass = sizeClasses.find((name) => name === item);
  if (sizeClass !== undefined) return replicasOfClass(sizeClass);
  if (item.startsWith('https://')) return [urlWorkload(item)];
  if (item.endsWith('.json')) return readShapeFile(item).map(shapedReplica);
  const folder = archiveFolder(item);
  if (folder !== undefined || /[/\\]/.test(item)) return [archiveWorkload(folder ?? item, replay)];
  return [namedSite(item)];
}

function namedSite(name: string): Workload {
  const wanted = name.toLowerCase();
  const page = pageSources.find((source) => [source.id, `page-${source.id}`].includes(wanted));
  if (page !== undefined) return pageWorkload(page);
  const made = lateImageWorkload();
  if (wanted === made.id) return made;
  const shape = shippedShapes().find(({ site }) =>
    [site.toLowerCase(), `replica-${site.toLowerCase()}`].includes(wanted),
  );
  if (shape !== undefined) return replicaWorkload(shape);
  const pages = pageSources.map(({ id }) => id);
  const sites = shippedShapes().map(({ site }) => site);
  const prefixed = [made.id, ...pages.map((id) => `page-${id}`), ...sites.map((site) => `replica-${site}`)];
  const names = [...prefixed, ...pages, ...sites, ...sizeClasses, 'all', 'pages', 'default'];
  const near = [...pages, ...sites].filter(
    (known) => wanted.length >= 3 && known.includes(wanted.replace(/^(page|replica)-/, '')),
  );
  throw new H2h3Error('usage', `unknown site "${name}"`, {
    context: {
      expected:
        near.length > 0
          ? `perhaps ${near.slice(0, 5).join(', ')}`
          : 'a site, a recorded one, all, pages, small, medium, large, or a .json file',
      got: name,
    },
    next: didYouMean(
      name,
      names,
      '`npx h2h3 describe sites` lists every site, and `npx h2h3 record URL` adds one.',
    ),
  });
}

function replicasBySize(): readonly Workload[] {
  const size = (workload: Workload): number => workload.facts.wireBytes ?? 0;
  return shippedShapes()
    .map(replicaWorkload)
    .sort((a, b) => size(a) - size(b));
}

function replicasOfClass(sizeClass: SizeClass): readonly Workload[] {
  const bySize = replicasBySize();
  const third = bySize.length / sizeClasses.length;
  const index = sizeClasses.indexOf(sizeClass);
  return bySize.slice(Math.round(index * third), Math.round((index + 1) * third));
}
