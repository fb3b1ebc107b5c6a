import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir } from '../support/source-graph.ts';

type Packages = Readonly<Record<string, string>>;
const read = (file: string): string => readFileSync(join(projectDir, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Readonly<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies', Packages>
>;
const declared = Object.keys({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
  ...manifest.devDependencies,
});

/** Names between backticks in the first column of the tables below "## Packages"; a `*` at the end means all that begin so. */
function explainedBy(decisions: string): string[] {
  const rows = decisions.slice(decisions.indexOf('## Packages')).matchAll(/^\| (`[^|]+`) +\|/gm);
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Packages without a reason, then reasons without a package. */
function compareWith(decisions: string): [unexplained: string[], unused: string[]] {
  const explained = explainedBy(decisions);
  return [
    declared.filter((name) => !explained.some((pattern) => matches(name, pattern))),
    explained.filter((pattern) => !declared.some((name) => matches(name, pattern))),
  ];
}

test('every package has its reason in docs/decisions.md, and every reason its package', () => {
  const decisions = read('docs/decisions.md');
  assert.deepEqual(compareWith(decisions), [[], []]);
  assert.deepEqual(
    compareWith(decisions.replace('`zod`', '`left-pad`')),
    [['zod'], ['left-pad']],
    'the test can fail',
  );
});

/** Whether a range of versions, as packages name their Node by it, holds this version. */
function holds(range: string, version: readonly number[]): boolean {
  const compare = (other: readonly number[]): number =>
    version.map((part, i) => part - (other[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return range.split('||').some((one) =>
    [...one.matchAll(/(>=|<|\^)? *(\d+)(?:\.(\d+))?(?:\.(\d+))?/g)].every(([, sign, ...parts]) => {
      const bound = parts.map((part) => Number(part ?? 0));
      if (sign === '<') return compare(bound) < 0;
      return compare(bound) >= 0 && (sign === '>=' || bound[0] === version[0]);
    }),
  );
}

test('whoever installs the package on the oldest Node that it takes is warned of no dependency', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<
      Record<
        string,
        { readonly dev?: boolean; readonly peer?: boolean; readonly engines?: { readonly node?: string } }
      >
    >;
  };
  const [, oldest = ''] = /^>=([\d.]+)$/.exec(packages['']?.engines?.node ?? '') ?? [];
  const version = [...oldest.split('.').map(Number), 0, 0].slice(0, 3);
  assert.ok(holds('^20.19.0 || ^22.12.0 || >=23', [22, 12, 0]) && !holds('^20.19.0 || >=24', [22, 12, 0]));
  const unusable = Object.entries(packages).filter(
    ([name, { dev, peer, engines }]) =>
      name !== '' && dev !== true && peer !== true && !holds(engines?.node ?? '>=0', version),
  );
  assert.deepEqual(
    unusable.map(([name, { engines }]) => `${name}: ${engines?.node}`),
    [],
  );
});
