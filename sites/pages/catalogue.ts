import { adminLte } from './admin-lte.ts';
import { agency } from './agency.ts';
import { gentelella } from './gentelella.ts';
import { landing } from './landing.ts';
import type { PageSource } from './page-source.ts';
import { softUi } from './soft-ui.ts';
import { swagger } from './swagger.ts';
import { tablerGallery } from './tabler-gallery.ts';
import { tablerIndex } from './tabler-index.ts';
import { tablerTables } from './tabler-tables.ts';
import { threeModules } from './three-modules.ts';

/** Every real page; to add one, write its file and name it here. */
export const pageSources: readonly PageSource[] = [
  tablerIndex,
  gentelella,
  adminLte,
  softUi,
  agency,
  landing,
  swagger,
  threeModules,
  tablerGallery,
  tablerTables,
];
