/** What each part may import, by its path. */
export type Table = Readonly<Record<string, readonly string[]>>;

/** What every part but these, `src/core/system` and `src/link` may import. */
const foundations = ['src/core/model', 'src/core/factors', 'src/core/metrics'];

/** What each part may import of the project, besides itself: the table "Folders" of docs/architecture.md. */
export const parts: Table = {
  'src/core/model': [],
  'src/core/factors': ['src/core/model'],
  'src/core/metrics': ['src/core/model'],
  'src/core/system': ['src/core/model'],
  'src/plan': foundations,
  'src/analyse': foundations,
  'src/store': [...foundations, 'src/core/system'],
  'src/app': [
    ...foundations,
    'src/core/system',
    'src/plan',
    'src/analyse',
    'src/store',
    'harness',
    'sites',
    'video',
    'reports',
  ],
  'src/cli': [...foundations, 'src/app'],
  'src/link': ['src/core/model', 'src/app', 'src/cli'],
  harness: [...foundations, 'src/core/system'],
  sites: [...foundations, 'src/core/system'],
  video: [...foundations, 'src/core/system'],
  reports: foundations,
};
/** The same inside the harness; the longest name that a path begins with is its layer. */
const harnessLayers: Table = {
  'harness/tools': [],
  'harness/clients': ['harness/tools'],
  'harness/servers': ['harness/tools'],
  'harness/network': ['harness/tools'],
  'harness/hosts': [
    'harness/tools',
    'harness/tools/doctor',
    'harness/servers',
    'harness/network',
    'harness/proxies',
    'harness/testbed',
    'harness/clients',
    'harness/probes',
    'harness/trial',
  ],
  'harness/proxies': ['harness/tools', 'harness/servers', 'harness/network'],
  'harness/probes': ['harness/tools', 'harness/clients'],
  'harness/testbed': ['harness/tools', 'harness/servers', 'harness/network', 'harness/proxies'],
  'harness/trial': ['harness/tools', 'harness/clients', 'harness/probes', 'harness/testbed'],
  'harness/bench': [
    'harness/tools',
    'harness/clients',
    'harness/servers',
    'harness/network',
    'harness/proxies',
    'harness/probes',
    'harness/testbed',
    'harness/trial',
  ],
  // What says which tools there are, and fetches them, looks at every kind.
  'harness/tools/setup.ts': [
    'harness/tools',
    'harness/clients',
    'harness/servers',
    'harness/network',
    'harness/proxies',
  ],
  'harness/tools/doctor': [
    'harness/tools',
    'harness/clients',
    'harness/servers',
    'harness/network',
    'harness/proxies',
  ],
};

/** A part of the tree by floors, the lowest first: a folder may import itself and what lies on a lower floor. */
type Floors = readonly (readonly string[])[];

/** The same inside the analysis, from figures up to judgements. A file that lies in no folder is on no floor. */
const analyseFloors: Floors = [
  ['statistics', 'figures', 'derive'],
  ['comparison', 'validity'],
  [
    'derive/derive-trial',
    'wording',
    'diagnosis',
    'requests',
    'distributions',
    'forecast',
    'between-runs',
    'warnings',
  ],
  ['answers', 'senders', 'studies'],
  ['first-flights'],
  ['summary'],
  ['gate', 'history', 'compare-runs'],
  ['calibrate'],
];

const appFloors: Floors = [
  ['presets', 'versions', 'machine', 'explain', 'judge'],
  ['plan', 'report', 'history', 'exec', 'browsers'],
  ['preflight', 'describe', 'analyse', 'notify', 'playwright'],
  ['run'],
  ['bench', 'diagnose', 'encode', 'gate', 'merge', 'pack', 'senders', 'site', 'studies'],
  ['calibrate', 'findings', 'nightly', 'preview', 'workers'],
  ['serve'],
  ['api'],
  // What a program imports.
  ['index.ts'],
];

/** The layers that floors allow; what every floor may import lies on none. */
function layersOf(folder: string, floors: Floors, shared: readonly string[]): Table {
  return Object.fromEntries<readonly string[]>([
    ...shared.map((name) => [name, []] as const),
    ...floors.flatMap((floor, index) => {
      const below = floors.slice(0, index).flat();
      const allowed = [...shared, ...below.map((name) => `${folder}/${name}`)];
      return floor.map((name) => [`${folder}/${name}`, allowed] as const);
    }),
  ]);
}

/** What each part of the tree that has layers holds of them. */
export const layered: readonly (readonly [folder: string, layers: Table])[] = [
  ['harness', harnessLayers],
  ['src/analyse', layersOf('src/analyse', analyseFloors, [])],
  // Files that lie in no folder of the app are shared by all.
  ['src/app', layersOf('src/app', appFloors, ['src/app'])],
];
