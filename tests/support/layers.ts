/** What each part may import, by its path. */
export type Table = Readonly<Record<string, readonly string[]>>;

/** What every part but these may import. */
const foundations = ['src/core/model', 'src/core/factors', 'src/core/metrics'];

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

/** The same inside the analysis, from figures up to judgements. */
const analyseLayers: Table = {
  'src/analyse/statistics': [],
  'src/analyse/wording/figures': [],
  'src/analyse/derive': [],
  'src/analyse/validity': ['src/analyse/derive'],
  'src/analyse/derive/derive-trial': ['src/analyse/derive', 'src/analyse/validity'],
  'src/analyse/comparison': ['src/analyse/statistics', 'src/analyse/wording/figures'],
  'src/analyse/diagnosis': [
    'src/analyse/statistics',
    'src/analyse/wording/figures',
    'src/analyse/comparison',
    'src/analyse/derive',
  ],
  'src/analyse/wording': ['src/analyse/wording/figures', 'src/analyse/comparison', 'src/analyse/statistics'],
  'src/analyse/requests': ['src/analyse/statistics', 'src/analyse/wording', 'src/analyse/wording/figures'],
  'src/analyse/answers': ['src/analyse/comparison', 'src/analyse/wording', 'src/analyse/wording/figures'],
  // Files that lie in no folder put a summary together.
  'src/analyse': [
    'src/analyse/statistics',
    'src/analyse/wording',
    'src/analyse/wording/figures',
    'src/analyse/comparison',
    'src/analyse/answers',
    'src/analyse/diagnosis',
    'src/analyse/derive',
    'src/analyse/requests',
  ],
  'src/analyse/gate': [
    'src/analyse',
    'src/analyse/answers',
    'src/analyse/comparison',
    'src/analyse/statistics',
    'src/analyse/wording',
    'src/analyse/wording/figures',
  ],
  'src/analyse/calibrate': [
    'src/analyse',
    'src/analyse/comparison',
    'src/analyse/statistics',
    'src/analyse/gate',
    'src/analyse/wording',
    'src/analyse/wording/figures',
  ],
  'src/analyse/history': ['src/analyse', 'src/analyse/comparison', 'src/analyse/statistics'],
  'src/analyse/compare-runs': [
    'src/analyse',
    'src/analyse/comparison',
    'src/analyse/statistics',
    'src/analyse/wording',
    'src/analyse/wording/figures',
  ],
};

/** The floors of the app, the lowest first: a folder may import itself, what all use cases share, and what lies on a lower floor. */
const appFloors: readonly (readonly string[])[] = [
  ['presets', 'versions', 'machine', 'explain', 'judge'],
  ['plan', 'report', 'history', 'exec', 'browsers'],
  ['preflight', 'describe', 'analyse', 'notify', 'playwright'],
  ['run'],
  ['bench', 'diagnose', 'encode', 'findings', 'gate', 'merge', 'pack', 'site', 'studies'],
  ['calibrate', 'nightly', 'preview', 'workers'],
  ['serve'],
  ['api'],
  // What a program imports.
  ['index.ts'],
];

/** The layers that those floors allow; files that lie in no folder of the app are shared by all. */
const appLayers: Table = Object.fromEntries([
  ['src/app', []],
  ...appFloors.flatMap((floor, index) => {
    const below = appFloors.slice(0, index).flat();
    const allowed = ['src/app', ...below.map((name) => `src/app/${name}`)];
    return floor.map((name) => [`src/app/${name}`, allowed] as const);
  }),
]);

/** What each part of the tree that has layers holds of them. */
export const layered: readonly (readonly [folder: string, layers: Table])[] = [
  ['harness', harnessLayers],
  ['src/analyse', analyseLayers],
  ['src/app', appLayers],
];
