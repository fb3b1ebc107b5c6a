import type { Workload } from '../src/core/model/workload.ts';
import { downloadWorkloads } from './downloads/catalogue.ts';
import { pageSources } from './pages/catalogue.ts';
import { pageWorkload } from './pages/page-workload.ts';
import { lateImageWorkload } from './scheduling/late-image-workload.ts';
import { replicaWorkload } from './replicas/replica-workload.ts';
import { shippedShapes } from './replicas/shipped-shapes.ts';

export { downloadWorkloadNamed, downloadWorkloads } from './downloads/catalogue.ts';
export { messageWorkloadNamed, messageWorkloads } from './messages/catalogue.ts';
export { uploadWorkloadNamed, uploadWorkloads } from './uploads/catalogue.ts';
export { addressOf } from './archive/address-of.ts';
export { openArchive, type Archive } from './archive/open-archive.ts';
export type { ArchiveIndex } from './archive/archive-index.ts';
export { secretShapesIn } from './archive/known-secrets.ts';
export type { ArchiveChoices } from './archive/store-archive.ts';
export { deviceNamed, deviceNames } from './devices.ts';
export { onDevice, pageItself, pageOnDevice } from './on-device.ts';
export { changingAddresses } from './record/changing-addresses.ts';
export { importHar } from './record/import-har.ts';
export { importWarc } from './record/import-warc.ts';
export type { Imported, LeftOut } from './record/store-imported.ts';
export { exportHar } from './record/export-har.ts';
export { exportWarc } from './record/export-warc.ts';
export { recordSite, type RecordResult } from './record/record-site.ts';
export type { Driven, DrivenPage, RecordOptions, RecordedAccess } from './record/record-options.ts';
export { requireNewArchive, writeArchive } from './archive/write-archive.ts';
export { archiveOrigin, archiveWorkload } from './archive/archive-workload.ts';
export { journeyOfPage, shownAsJourneys } from './journey-of-page.ts';
export { pageOfRepeatView, repeatView } from './repeat-view.ts';
export { chanceScript } from './replay/chance-script.ts';
export { createReplayOrigin } from './replay/replay-origin.ts';
export {
  isPageId,
  pageEntryText,
  pageIdOf,
  withMeasure,
  withPageInCatalogue,
  type PageDraft,
} from './pages/page-entry.ts';
export type { PageMeasure } from './pages/page-source.ts';
export { pageWorkload } from './pages/page-workload.ts';
export { fetchPackage } from './packages/fetch-package.ts';
export { fileTypes, typeOfFile } from './localise/placement.ts';
export { appWorkloads, ofBuild } from './app/app-workload.ts';
export { urlWorkload } from './pages/url-workload.ts';
export { customSite, defaultSites, selectSites, sizeClasses, type SizeClass } from './select-sites.ts';

/** Real pages out of npm packages. */
export function pageWorkloads(): readonly Workload[] {
  return pageSources.map(pageWorkload);
}

/** Pages that are made for one question. */
export function madePages(): readonly Workload[] {
  return [lateImageWorkload()];
}

/** The hundred replicas that ship. */
export function replicaWorkloads(): readonly Workload[] {
  return shippedShapes().map(replicaWorkload);
}

/** What `h2h3 describe sites` prints of one workload; a count that is not known beforehand is left out. */
export interface SiteDescription {
  readonly id: string;
  readonly title: string;
  readonly objects?: number;
  /** Encoded body bytes of one load. */
  readonly bytes?: number;
  readonly hosts?: number;
  readonly types?: Readonly<Record<string, number>>;
  readonly source: string;
  readonly licence?: string;
}

export function describeSites(): readonly SiteDescription[] {
  return [...pageWorkloads(), ...madePages(), ...replicaWorkloads(), ...downloadWorkloads()].map(
    describeWorkload,
  );
}

function describeWorkload(workload: Workload): SiteDescription {
  const { objectCount, hostCount, wireBytes, types, source, licence } = workload.facts;
  return {
    id: workload.id,
    title: workload.title,
    ...(objectCount === undefined ? {} : { objects: objectCount }),
    ...(wireBytes === undefined ? {} : { bytes: wireBytes }),
    ...(hostCount === undefined ? {} : { hosts: hostCount }),
    ...(types === undefined ? {} : { types }),
    source,
    ...(licence === undefined ? {} : { licence }),
  };
}
