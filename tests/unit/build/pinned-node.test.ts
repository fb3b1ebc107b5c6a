import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { create } from 'tar';
import { runToEnd } from '../../support/packed.ts';
import { projectDir } from '../../support/source-graph.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const skip = process.platform === 'win32' ? 'a script for sh stands for npm here' : false;
const packageName = `node-${process.platform}-${process.arch}`;

interface Checkout {
  /** Of these words of a Node that says of itself that it is 18. */
  readonly asNode18: (event: string) => string;
  readonly link: string;
  readonly program: string;
  readonly script: string;
  /** How often npm was asked. */
  readonly asked: () => number;
}

/** A checkout with a registry that has a Node of these words; the digest that is pinned is its own, or another. */
async function checkout(folder: string, { isPinned }: { readonly isPinned: boolean }): Promise<Checkout> {
  for (const name of ['build/pinned-node.js', 'src/cli/pinned-node.js']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(projectDir, name), join(folder, name));
  }
  writeFileSync(join(folder, 'src/cli/main.ts'), '');
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(projectDir, 'node_modules/tar'), join(folder, 'node_modules/tar'));
  const source = join(folder, 'source');
  mkdirSync(join(source, 'package/bin'), { recursive: true });
  writeFileSync(join(source, 'package/bin/node'), 'a Node', { mode: 0o755 });
  writeFileSync(join(source, 'package/README.md'), 'not wanted');
  const archive = join(folder, 'served.tgz');
  await create({ gzip: true, file: archive, cwd: source }, ['package']);
  const digest = createHash('sha512')
    .update(isPinned ? readFileSync(archive) : 'another')
    .digest('base64');
  const list = { least: '24.2.0', version: '24.21.0', integrity: { [packageName]: `sha512-${digest}` } };
  writeFileSync(join(folder, 'src/cli/pinned-node.json'), JSON.stringify(list));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const log = join(folder, 'asked');
  // Words: pack NAME@VERSION --pack-destination FOLDER …
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$2" >>'${log}'\ncp '${archive}' "$4/fetched.tgz"\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  const script = join(folder, 'build/pinned-node.js');
  const old =
    'Object.defineProperty(process.versions, "node", { value: "18.20.4" }); await import(process.argv[1])';
  return {
    script,
    link: join(folder, 'node_modules/.bin/node'),
    program: join(folder, `.h2h3/node/${packageName}-24.21.0/node`),
    asked: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
    asNode18: (event) =>
      runToEnd([process.execPath, '--input-type=module', '-e', old, script], folder, {
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        npm_lifecycle_event: event,
      }),
  };
}

test(
  'an old Node fetches the pinned one once, and links it where the scripts look first',
  { skip },
  async (t) => {
    const { asNode18, link, program, asked } = await checkout(tempFolder(t), { isPinned: true });
    asNode18('prepare');
    assert.equal(readlinkSync(link), program);
    assert.equal(readFileSync(link, 'utf8'), 'a Node');
    assert.ok(!existsSync(join(dirname(program), 'README.md')));
    asNode18('test');
    assert.equal(asked(), 1);
  },
);

test('a Node that is new enough asks for no other', { skip }, async (t) => {
  const { script, link, asked } = await checkout(tempFolder(t), { isPinned: true });
  runToEnd([process.execPath, script], dirname(script));
  assert.equal(asked(), 0);
  assert.ok(!existsSync(link));
});

test(
  'another Node than the pinned one is not used: said to npm while it installs, exit 3 otherwise',
  { skip },
  async (t) => {
    const { asNode18, link, program } = await checkout(tempFolder(t), { isPinned: false });
    assert.doesNotThrow(() => asNode18('prepare'));
    assert.throws(
      () => asNode18('test'),
      /ended with 3\n\n[^\n]*Fetching Node 24\.21\.0[^\n]*\nh2h3: Node 24\.2\.0 or newer is needed, and this is 18\.20\.4\. .* is not the pinned one/,
    );
    assert.ok(!existsSync(link) && !existsSync(program));
  },
);

test('versions are compared by number', async () => {
  const { isNewEnough } = (await import(pathToFileURL(join(projectDir, 'src/cli/pinned-node.js')).href)) as {
    readonly isNewEnough: (version: string) => boolean;
  };
  assert.deepEqual(
    ['24.2.0', '24.10.0', '26.0.0', '100.0.0'].filter((version) => !isNewEnough(version)),
    [],
  );
  assert.deepEqual(['18.20.4', '22.22.2', '24.1.9', '9.9.9'].filter(isNewEnough), []);
});
