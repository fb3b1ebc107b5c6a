import { globSync } from 'node:fs';
import { projectDir } from '../support/cli.ts';

/** Test files that are run together. */
export interface FileGroup {
  readonly name: string;
  /** Patterns below the project, of `globSync`. */
  readonly patterns: readonly string[];
  /** How many files run at once, each in a process of its own; null: all in one process, one after another. */
  readonly concurrency: number | null;
  /** Whether it runs in a network of its own, where this user can make one. Default: false. */
  readonly ownNetwork?: boolean;
  /** Whether it waits for most of its time (`mostlyWaiting`). Default: false. */
  readonly waits?: boolean;
}

/** Groups of which so many run at once, before the next phase begins. */
export interface Phase {
  /** What the last lines of a run call it. */
  readonly name: string;
  readonly atOnce: number;
  /** As many while all that run wait for most of their time. Default: as `atOnce`. */
  readonly waitingAtOnce?: number;
  /** The next one begins when one has ended, in this order. */
  readonly groups: readonly FileGroup[];
}

/** Unit tests share processes, but for those that are about processes. */
export const unitGroups: readonly FileGroup[] = [
  { name: 'harness', patterns: ['tests/unit/@(harness|video)/**/*.test.ts'], concurrency: null },
  { name: 'app', patterns: ['tests/unit/@(app|build|cli|store)/**/*.test.ts'], concurrency: null },
  { name: 'figures', patterns: ['tests/unit/@(analyse|reports)/**/*.test.ts'], concurrency: null },
  {
    name: 'shared',
    patterns: [
      'tests/*.test.ts',
      'tests/unit/!(test-scope).test.ts',
      'tests/unit/core/@(factors|metrics|model)/**/*.test.ts',
      'tests/unit/@(plan|runner|sites)/**/*.test.ts',
    ],
    concurrency: null,
  },
  {
    name: 'own',
    patterns: ['tests/unit/test-scope.test.ts', 'tests/unit/core/system/**/*.test.ts'],
    concurrency: 2,
  },
];

export const golden: FileGroup = { name: 'golden', patterns: ['tests/golden/*.test.ts'], concurrency: 2 };

/**
 * What `npm test` tries with real browsers and servers: each capability by the fewest files, which run where nothing but the
 * embedded Chromium is. A file that tries more of a capability is `npm run test:all`'s alone.
 */
export const capabilities: Readonly<Record<string, readonly string[]>> = {
  page: ['e2e/chromium-trial'],
  'timed page': ['e2e/uninstrumented-trial'],
  'recorded site, record and replay': ['e2e/sites-record'],
  video: ['e2e/video-player'],
  download: ['e2e/chromium-trial'],
  upload: ['e2e/upload'],
  messages: ['e2e/messages'],
  app: ['e2e/app-run'],
  'live address': ['e2e/live-private-ca'],
  journey: ['e2e/journey'],
  gate: ['e2e/gate-command'],
  exec: ['e2e/exec'],
  'kill and resume': ['e2e/run-interruption'],
  'report in a browser': ['e2e/report-page'],
  workers: ['alone/workers'],
  refusals: ['e2e/run-command', 'e2e/nothing-lost'],
};

/** What takes longest begins first, so that no file runs on by itself at the end. */
export const longest: readonly string[] = [
  'e2e/two-builds',
  'e2e/family',
  'e2e/secrets-search',
  'e2e/discovery',
  'e2e/senders',
  'package/installed-package',
  'e2e/gate-command',
  'e2e/lost-objects',
  'e2e/every-protocol',
  'e2e/factors',
  'e2e/app-run',
  'e2e/run-interruption',
  'e2e/live-own-server',
  'e2e/video-player',
  'e2e/sites-pages',
  'e2e/sites-tricky',
  'e2e/firefox-trial',
  'e2e/uninstrumented-trial',
  'e2e/unusual-pages',
  'e2e/upload',
  'e2e/first-flight',
  'e2e/network-path',
  'e2e/injected-fault',
  'e2e/adding',
  'e2e/plain-http',
  'e2e/diagnosis-probes',
  'e2e/exec',
  'e2e/sites-contained',
  'e2e/sites-record',
  'e2e/worker-refusals',
];

/**
 * Files that use less than half a CPU for most of their time: they wait for paths whose checks and trials take the time that
 * their figures say, for broadcasts, or for what is killed to be gone. Next to each other they leave an emulated path its CPU,
 * which files that compute do not.
 */
export const mostlyWaiting: readonly string[] = [
  'e2e/family',
  'e2e/discovery',
  'e2e/senders',
  'e2e/first-flight',
  'e2e/network-path',
];

/**
 * Files that tell no time, and of which no interface that comes or goes closes a connection: they start no browser, or one that reads
 * reports from the disk.
 */
const undisturbed: readonly string[] = [
  'diagnosis/qlog-records',
  'diagnosis/verify-diagnosis',
  'e2e/adding',
  'e2e/client-matrix',
  'e2e/compare',
  'e2e/first-run',
  'e2e/outside-run',
  'e2e/report-accessibility',
  'e2e/report-export',
  'e2e/report-film',
  'e2e/report-first-screen',
  'e2e/report-page',
  'e2e/report-questions',
  'e2e/report-studies',
  'e2e/report-why',
  'e2e/server-contract',
  'e2e/server-heads',
  'e2e/server-kit',
  'e2e/sites-add',
  'e2e/sites-odd-heads',
  'e2e/sites-trickles',
  'e2e/test-command',
  'e2e/video-encode-ladder',
  'e2e/video-odd-films',
  'e2e/video-quality',
  'e2e/worker-refusals',
  'e2e/written-secrets',
  'package/installed-package',
  'regression/judge-video',
  'torture/kill-commands',
];

/** The pages of a registry that files with a network of their own load, and the players. */
export const fetchedPages: readonly string[] = ['page-landing', 'page-three-modules'];
export const fetchedPlayers: readonly string[] = ['dashjs@4', 'dashjs@5', 'hlsjs', 'shaka'];

/**
 * Files with trials over loopback, which wait for its rest: each has a network of its own, out of which nothing leads. What they use
 * is there after `npm ci`, `npx h2h3 setup --system` and `fetchForOwnNetworks`: of a registry `fetchedPages` and `fetchedPlayers` alone.
 */
export const overOwnLoopback: readonly string[] = [
  'action',
  'app-run',
  'chromium-lighthouse',
  'chromium-trial',
  'doomed-run',
  'every-protocol',
  'fallback',
  'firefox-trial',
  'gate-command',
  'journey',
  'journey-failure',
  'journey-misdeeds',
  'journey-upload',
  'live-access',
  'live-address',
  'live-budget',
  'live-login',
  'live-own-server',
  'live-private-ca',
  'lost-objects',
  'nothing-lost',
  'own-application',
  'plain-http',
  'record-dev-server',
  'replayed-addresses',
  'report-forms',
  'run-command',
  'run-full-disk',
  'run-interruption',
  'secrets-search',
  'served-runs',
  'server-protocols',
  'settled-documents',
  'sites-aged',
  'sites-contained',
  'sites-device',
  'sites-hostile',
  'sites-odd-answers',
  'sites-pages',
  'sites-record',
  'sites-settled',
  'sites-tricky',
  'stand-in-browsers',
  'two-builds',
  'uninstrumented-trial',
  'unusual-pages',
  'upload',
  'video-browser-dies',
  'video-player',
]
  .map((name) => `e2e/${name}`)
  .concat('torture/torture');

const patternOf = (name: string): string => `tests/${name}.test.ts`;

/**
 * Each in a process of its own, the longest first.
 *
 * @param mayFetch whether a test may be the first on this machine to want something, which it then fetches: so none has a network
 *   of its own
 */
function each(files: readonly string[], mayFetch = false): FileGroup[] {
  const first = longest.map(patternOf).filter((file) => files.includes(file));
  const ordered = [...first, ...files.filter((file) => !first.includes(file))];
  return ordered.map((file) => {
    const name = shortName(file);
    return {
      name,
      patterns: [file],
      concurrency: null,
      ownNetwork: !mayFetch && overOwnLoopback.includes(name),
      waits: mostlyWaiting.includes(name),
    };
  });
}

const filesOf = (folder: 'e2e' | 'alone'): string[] => [
  ...new Set(
    Object.values(capabilities)
      .flat()
      .filter((name) => name.startsWith(`${folder}/`))
      .map(patternOf),
  ),
];

/** Files that only compute, and start neither browser nor server. */
const computing: FileGroup[] = ['statistics', 'fuzz', 'large'].map((folder) => ({
  name: folder,
  patterns: [`tests/${folder}/*.test.ts`],
  concurrency: 1,
}));

/** Of the tests with browsers and servers, those that do not want to be alone. */
const together = filesIn({
  patterns: ['tests/!(unit|golden|alone|wide|fuzz|large|statistics)/**/*.test.ts'],
});

/** Those of them that many may run at once of, as long as there are CPUs. */
const crowded = [...overOwnLoopback, ...undisturbed].map(patternOf);

/** Change interfaces of the machine, at which Chromium closes its connections, and tell whether they are as before. */
const changers: FileGroup = {
  name: 'alone',
  patterns: [
    'alone/client-host',
    'alone/exec-world',
    'alone/live-own-server',
    'alone/live-path',
    'alone/three-machines',
    'alone/two-machines',
    'alone/workers',
    'e2e/client-host',
    'e2e/link-library',
    'package/link-package',
  ].map(patternOf),
  concurrency: 1,
};

/** How many long tests run at once: as many as the smallest machine has CPUs, since several tell by what the CPU does. */
const longAtOnce = 2;

/** Whether files can have networks of their own (`ownNetwork`). */
const isRoot = process.getuid?.() === 0;

/** In networks of their own none disturbs another, and each waits half of the time for pages to rest. */
const apartAtOnce = isRoot ? 3 : longAtOnce;

const others = waitingFirst(
  each(together.filter((file) => ![...crowded, ...changers.patterns].includes(file))),
);

/** Those that wait for most of their time begin before the others, since more of them run at once. */
function waitingFirst(groups: readonly FileGroup[]): FileGroup[] {
  return groups.toSorted((one, other) => Number(other.waits === true) - Number(one.waits === true));
}

/** Files that change interfaces, along with those that no change of an interface disturbs. */
const withChangers: readonly Phase[] = isRoot
  ? [{ name: 'own networks', atOnce: apartAtOnce, groups: [changers, ...each(crowded)] }]
  : [
      { name: 'over loopback', atOnce: apartAtOnce, groups: each(overOwnLoopback.map(patternOf)) },
      { name: 'interfaces', atOnce: longAtOnce, groups: [changers, ...each(undisturbed.map(patternOf))] },
    ];

const withoutBrowsers: Phase = { name: 'unit', atOnce: 2, groups: [...unitGroups, golden] };

/** What each command runs, in this order. */
export const selections: Readonly<Record<'unit' | 'test' | 'all', readonly Phase[]>> = {
  unit: [{ name: 'unit', atOnce: 2, groups: unitGroups }],
  test: [
    withoutBrowsers,
    { name: 'capabilities', atOnce: longAtOnce, groups: each(filesOf('e2e'), true) },
    { name: 'workers', atOnce: 1, groups: each(filesOf('alone'), true) },
  ],
  all: [
    { ...withoutBrowsers, groups: [...computing, ...withoutBrowsers.groups] },
    ...withChangers,
    { name: 'others', atOnce: longAtOnce, waitingAtOnce: longAtOnce + 1, groups: others },
    // Tells by CPU time what rests.
    { name: 'rest', atOnce: 1, groups: each([patternOf('alone/rest-from-outside')]) },
  ],
};

/** How many minutes each command takes at most on two idle cores, as README, CONTRIBUTING and the workflows say. */
export const minutesOf: Readonly<Record<'test' | 'all', number>> = { test: 10, all: 40 };

/** Test files of a group below the project. */
export function filesIn({ patterns }: Pick<FileGroup, 'patterns'>): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: projectDir })).toSorted();
}

/** Path of a test file below the folder of tests, without what all of them share. */
export function shortName(file: string): string {
  return file.replace(`${projectDir}/`, '').replace(/^tests\/|\.test\.ts$/g, '');
}
