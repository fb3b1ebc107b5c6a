import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { filesBelow, runToEnd } from '../support/packed.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { projectDir } from '../support/source-graph.ts';

const run = promisify(execFile);
const maxBytes = 5 * 1024 * 1024;
/** Number of a kind of machine in the header of an ELF file (`e_machine`, elf(5)). */
const machines = new Map([
  [62, 'x64'],
  [183, 'arm64'],
]);

let folder = '';
let own = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'h2h3-link-'));
  runToEnd(['node', 'build/build-link.ts'], projectDir);
  const said = runToEnd(
    ['npm', 'pack', '--json', '--pack-destination', folder],
    join(projectDir, 'dist-link'),
  );
  const [packed] = JSON.parse(said.slice(said.indexOf('['))) as [{ readonly filename: string }];
  own = join(folder, 'node_modules', 'h2h3-link');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  runToEnd(['tar', 'xzf', join(folder, packed.filename), '--strip-components=1', '-C', own], folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the package is small, needs no other, and has its programs for both kinds of machines', () => {
  const files = filesBelow(own).filter((name) => statSync(join(own, name)).isFile());
  const bytes = files.reduce((sum, name) => sum + statSync(join(own, name)).size, 0);
  assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  const { dependencies, version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    dependencies?: object;
    version: string;
  };
  assert.deepEqual([dependencies, /^\d+\.\d+\.\d+$/.test(version)], [undefined, true]);
  const programs = files.filter((name) => name.endsWith('/path-emulator'));
  const made = programs.map((name) => machines.get(readFileSync(join(own, name)).readUInt16LE(18)));
  assert.deepEqual(made.toSorted(), ['arm64', 'x64']);
});

/** Node of the system, which may be an older one, where there is one that the package is for. */
function nodeOfSystem(): string {
  const { stdout } = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' });
  return /^v(?:2\d|[3-9]\d)\./.test(String(stdout)) ? '/usr/bin/node' : process.execPath;
}

test('it runs a command behind a network by name and by figures, without a compiler, and as a library', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const node = nodeOfSystem();
  t.diagnostic(`by ${String(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).trim()}`);
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const launcher = join(own, 'src/cli/launcher.js');
  const cache = join(folder, 'cache');
  const env = { ...process.env, H2H3_CACHE: cache, H2H3_PATH_BACKEND: 'emulator' };
  const options = { cwd: folder, env };
  const address = `http://localhost:${port}/`;
  const ask = `fetch('${address}').then((answer) => answer.text()).then((text) => console.log(text))`;
  for (const network of [
    ['cable'],
    ['--down', '10mbit', '--up', '2mbit', '--rtt', '80ms', '--loss', '0.1%'],
  ]) {
    const words = [launcher, ...network, '--local', String(port), '--', node, '-e', ask];
    const { stdout, stderr } = await run(node, words, options);
    assert.equal(stdout, 'here\n');
    assert.match(stderr, /\b\d+ checks of the path (?:passed|failed)/);
  }
  const built = filesBelow(cache).filter((name) => name.endsWith('path-emulator'));
  const packed = filesBelow(own).filter((name) => name.endsWith('path-emulator'));
  const bytesOf = (root: string, names: readonly string[]): Buffer[] =>
    names.map((name) => readFileSync(join(root, name)));
  assert.ok(
    bytesOf(own, packed).some((each) => bytesOf(cache, built).every((used) => used.equals(each))),
    'the emulator is that of the package',
  );
  const library = `import { startLink } from 'h2h3-link';
const link = await startLink({ network: 'cable', local: [${port}] });
await link.set({ delayMs: 5 });
console.log(Object.keys((await link.report()).counters).length > 0, typeof (await link.wrap('/bin/true')));
await link.stop();`;
  writeFileSync(join(folder, 'library.mjs'), library);
  assert.equal((await run(node, ['library.mjs'], options)).stdout, 'true string\n');
});

test('what it cannot do is said in a sentence, and the command is not started', () => {
  const refusals = [
    [['cabel', '--', 'true'], 2, /unknown network "cabel"/],
    [['--rtt', '80', '--', 'true'], 2, /--rtt wants a time such as 80ms/],
    [['cable'], 2, /no command to run/],
  ] as const;
  for (const [words, code, said] of refusals) {
    const { status, stderr } = spawnSync(nodeOfSystem(), [join(own, 'src/cli/launcher.js'), ...words], {
      encoding: 'utf8',
      cwd: folder,
    });
    assert.equal(status, code, stderr);
    assert.match(stderr, said);
  }
});
