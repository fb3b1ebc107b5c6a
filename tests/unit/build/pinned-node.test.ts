import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runToEnd } from '../../support/packed.ts';
import { projectDir } from '../../support/source-graph.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const skip =
  process.platform === 'win32' ? 'npm makes the link on Windows itself, as a script for its shell' : false;

/** A checkout whose only package is this platform's Node, or none. */
function checkout(folder: string, hasNode: boolean): { readonly script: string; readonly link: string } {
  const packages = join(folder, 'node_modules');
  const program = join(packages, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  const script = join(folder, 'build', 'pinned-node.js');
  for (const file of [script, ...(hasNode ? [program] : [])]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  copyFileSync(join(projectDir, 'build', 'pinned-node.js'), script);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  return { script, link: join(packages, '.bin', 'node') };
}

/** The script as a Node of another version sees itself. */
const asNode18 =
  'Object.defineProperty(process.versions, "node", { value: "18.20.4" }); await import(process.argv[1])';

test(
  'the Node of the packages is linked where npm left the link out, or left one that leads nowhere',
  { skip },
  (t) => {
    for (const isBroken of [false, true]) {
      const { script, link } = checkout(tempFolder(t), true);
      mkdirSync(dirname(link), { recursive: true });
      if (isBroken) symlinkSync('../gone/bin/node', link);
      runToEnd([process.execPath, script], dirname(script));
      assert.equal(readlinkSync(link), `../node-${process.platform}-${process.arch}/bin/node`);
    }
  },
);

test('without it one sentence says what is missing, but not to npm while it installs', { skip }, (t) => {
  const { script } = checkout(tempFolder(t), false);
  const ask = (event: string): string =>
    runToEnd([process.execPath, '--input-type=module', '-e', asNode18, script], dirname(script), {
      npm_lifecycle_event: event,
    });
  assert.doesNotThrow(() => ask('prepare'));
  assert.throws(
    () => ask('test'),
    /ended with 3\n\nh2h3: Node 24 is needed here, and this is 18\.20\.4: `npm ci`/,
  );
});
