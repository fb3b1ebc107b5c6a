import { globSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../support/cli.ts';

/** Test files that are run together. */
export interface FileGroup {
  readonly name: string;
  /** Patterns below the project, of `globSync`. */
  readonly patterns: readonly string[];
  /** How many files run at once, each in a process of its own; null: all in one process, one after another. */
  readonly concurrency: number | null;
}

/** Unit tests share processes, but for those that are about processes. */
export const unitGroups: readonly FileGroup[] = [
  { name: 'harness', patterns: ['tests/unit/@(harness|video)/**/*.test.ts'], concurrency: null },
  { name: 'app', patterns: ['tests/unit/@(app|build|cli|store)/**/*.test.ts'], concurrency: null },
  { name: 'figures', patterns: ['tests/unit/@(analyse|metrics|reports)/**/*.test.ts'], concurrency: null },
  {
    name: 'shared',
    patterns: [
      'tests/*.test.ts',
      'tests/unit/!(test-scope).test.ts',
      'tests/unit/@(factors|model|plan|runner|sites)/**/*.test.ts',
    ],
    concurrency: null,
  },
  {
    name: 'own',
    patterns: ['tests/unit/test-scope.test.ts', 'tests/unit/system/**/*.test.ts'],
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
  'timed page': ['e2e/bare-trial'],
  'recorded site, record and replay': ['e2e/sites-record'],
  video: ['e2e/video-player'],
  download: ['e2e/chromium-trial'],
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

const filesOf = (folder: 'e2e' | 'alone'): string[] =>
  Object.values(capabilities)
    .flat()
    .filter((name, index, names) => name.startsWith(`${folder}/`) && names.indexOf(name) === index)
    .map((name) => `tests/${name}.test.ts`);

/** Tests that change interfaces, or tell by CPU time what rests, run with no other beside them. */
const oneAtATime = { name: 'alone', concurrency: 1 } as const;

/** How many long tests run at once: as many as the smallest machine has CPUs, since several tell by what the CPU does. */
const longAtOnce = 2;

/** How many groups of one list run at once. */
export const groupsAtOnce = 2;

/** What each command runs, in this order. */
export const selections: Readonly<Record<'unit' | 'test' | 'all', readonly (readonly FileGroup[])[]>> = {
  unit: [unitGroups],
  test: [
    [...unitGroups, golden],
    [{ name: 'capabilities', patterns: filesOf('e2e'), concurrency: 2 }],
    [{ ...oneAtATime, patterns: filesOf('alone') }],
  ],
  all: [
    [...unitGroups, golden],
    [{ name: 'long', patterns: ['tests/!(unit|golden|alone|wide)/**/*.test.ts'], concurrency: longAtOnce }],
    [{ ...oneAtATime, patterns: ['tests/alone/*.test.ts'] }],
  ],
};

/** Test files of a group below the project. */
export function filesIn({ patterns }: FileGroup): string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: projectDir })).toSorted();
}

/** Path below the project of a test file, without what all of them share. */
export function shortName(file: string): string {
  return file.replace(`${join(projectDir, 'tests')}/`, '').replace(/\.test\.ts$/, '');
}
