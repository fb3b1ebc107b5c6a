import {
  downloadWorkloadNamed,
  downloadWorkloads,
  madePages,
  messageWorkloadNamed,
  messageWorkloads,
  onDevice,
  pageOfRepeatView,
  pageOnDevice,
  pageWorkloads,
  repeatView,
  replicaWorkloads,
  uploadWorkloadNamed,
  uploadWorkloads,
} from '../../../sites/index.ts';
import { videoWorkloadNamed, videoWorkloads } from '../../../video/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean, similarNames } from '../../core/model/nearest-name.ts';
import type { Workload } from '../../core/model/workload.ts';

let shipped: readonly Workload[] | undefined;

/** Every workload that ships, and those of own videos (`loadOwnWorkloads`), by id. */
export function workloadCatalogue(own: readonly Workload[] = []): ReadonlyMap<string, Workload> {
  // Laying out the replicas takes tens of milliseconds, and is asked for several times by each command.
  shipped ??= [
    ...pageWorkloads(),
    ...madePages(),
    ...replicaWorkloads(),
    ...videoWorkloads(),
    ...downloadWorkloads(),
    ...uploadWorkloads(),
    ...messageWorkloads(),
  ];
  const all = [...shipped, ...own];
  return new Map(all.map((workload) => [workload.id, workload]));
}

/** The workload of this id, also one that its id describes; undefined where there is none. */
export function workloadNamed(id: string, catalogue: ReadonlyMap<string, Workload>): Workload | undefined {
  const found =
    catalogue.get(id) ??
    downloadWorkloadNamed(id) ??
    uploadWorkloadNamed(id) ??
    messageWorkloadNamed(id) ??
    videoWorkloadNamed(id);
  if (found) return found;
  const pageId = pageOfRepeatView(id);
  const shown = pageOnDevice(id);
  const itself = pageId ?? shown?.page;
  const page = itself === undefined ? undefined : workloadNamed(itself, catalogue);
  if (page === undefined) return undefined;
  return pageId === undefined && shown !== undefined ? onDevice(page, shown.device) : repeatView(page);
}

/** @throws H2h3Error `usage` naming what exists. */
export function findWorkload(id: string, catalogue: ReadonlyMap<string, Workload>): Workload {
  const found = workloadNamed(id, catalogue);
  if (found) return found;
  const names = [...catalogue.keys()];
  throw new H2h3Error('usage', `unknown workload "${id}"`, {
    context: { expected: `such as ${similarNames(id, names).join(', ')}`, got: id },
    next: didYouMean(id, names, '`npx h2h3 describe workloads` lists every workload.'),
  });
}
