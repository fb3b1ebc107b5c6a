import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { versionedPrograms } from '../../../../../harness/tools/versions/catalogue.ts';
import { playerMajors } from '../../../../../src/core/factors/media.ts';
import { setupContextIn } from '../../../../support/setup-context.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const folder = new URL('../../../../../harness/tools/moq-watch/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

test('a bundled player is offered in the version that its lock file pins, which the page can play with', async (t) => {
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
  const offered = await versionedPrograms.moqwatch.sources[0].available(setupContextIn(tempFolder(t)));
  assert.deepEqual(
    offered.map(({ version }) => version),
    [dependencies['@moq/watch']],
  );
  const majors: readonly number[] = playerMajors.moqwatch;
  assert.ok(majors.includes(Number.parseInt(offered[0]?.version ?? '', 10)));
});

test('everything that it is bundled of has a digest', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { integrity?: string }> };
  const others = Object.entries(packages).filter(([name]) => name !== '');
  assert.ok(others.length > 1);
  for (const [name, { integrity }] of others) assert.match(integrity ?? '', /^sha512-/, name);
});
