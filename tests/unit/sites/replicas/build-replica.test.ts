import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildReplica, type BuiltReplica } from '../../../../sites/replicas/build-replica.ts';
import { planReplica } from '../../../../sites/replicas/plan-replica.ts';
import { shippedShapes } from '../../../../sites/replicas/shipped-shapes.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function built(site: string, directory: string, port = 8443): Promise<BuiltReplica> {
  const shape = shippedShapes().find((candidate) => candidate.site === site);
  assert.ok(shape, site);
  const plan = planReplica(shape);
  return buildReplica({
    plan,
    port,
    turnsPerMs: 12.3,
    seed: 'h2h3',
    directory,
    onObject: () => undefined,
  });
}

async function contents(directory: string): Promise<Map<string, string>> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(
    async (file) => [file.slice(directory.length), await readFile(file, 'base64')] as const,
  );
  return new Map(await Promise.all(read));
}

// The two smallest documents (1.5 and 1.9 kB) have no room for the runtime; the other two have.
for (const site of ['scratch.mit.edu', 'mega.nz', 'www.linkedin.com', '123rf.com']) {
  test(`the replica of ${site} has a file for each request, each of its recorded size`, async (t) => {
    const directory = tempFolder(t);
    const replica = await built(site, directory);
    assert.deepEqual(replica.misses, []);
    const files = [...(await contents(directory)).keys()].filter((name) => !name.endsWith('.br'));
    assert.equal(files.length, shippedShapes().find((shape) => shape.site === site)?.requests.length);
  });
}

test('the same shape, seed and port give the same bytes', async (t) => {
  const first = tempFolder(t);
  const second = tempFolder(t);
  await built('www.linkedin.com', first);
  await built('www.linkedin.com', second);
  assert.deepEqual(await contents(first), await contents(second));
});

test('addresses carry the port, and sizes hold for any', async (t) => {
  const directory = tempFolder(t);
  const replica = await built('123rf.com', directory, 65_535);
  assert.deepEqual(replica.misses, []);
  const page = await readFile(join(directory, 'www.123rf-com.h2h3.test', 'index.html'), 'utf8');
  assert.match(page, /\/\/h2\.123rf-com\.h2h3\.test:65535\/4\.png/);
});
