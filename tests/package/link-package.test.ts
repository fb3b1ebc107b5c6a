import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { filesBelow, packLinkInto, programsByMachine, runToEnd, typeCheckIn } from '../support/packed.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { projectDir } from '../support/source-graph.ts';
import { emulatorSources } from '../../harness/network/emulator-programs.ts';

const run = promisify(execFile);
const maxBytes = 5 * 1024 * 1024;

let folder = '';
let own = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'h2h3-link-'));
  const tarball = packLinkInto(folder);
  own = join(folder, 'node_modules', 'h2h3-link');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  runToEnd(['tar', 'xzf', tarball, '--strip-components=1', '-C', own], folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the package is small, needs no other, and has every program for both kinds of machines, with its words and licence', () => {
  const files = filesBelow(own).filter((name) => statSync(join(own, name)).isFile());
  const bytes = files.reduce((sum, name) => sum + statSync(join(own, name)).size, 0);
  assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  const { dependencies, version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    dependencies?: object;
    version: string;
  };
  assert.deepEqual([dependencies, /^\d+\.\d+\.\d+$/.test(version)], [undefined, true]);
  assert.deepEqual(programsByMachine(own), {
    arm64: Object.keys(emulatorSources).toSorted(),
    x64: Object.keys(emulatorSources).toSorted(),
  });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    assert.ok(statSync(join(own, name)).size > 100, name);
});

test('the same source gives the same programs, whatever was compiled before', () => {
  const target = join(folder, 'again');
  const script = `import { buildStaticPrograms } from '${projectDir}/build/static-programs.ts';
await buildStaticPrograms('${target}', '${projectDir}/.h2h3/tools');`;
  // What is compared is compiled anew, and not taken from the last time; the C library that comes along is.
  const cache = { ZIG_LOCAL_CACHE_DIR: join(folder, 'zig') };
  runToEnd(['node', '--input-type=module', '-e', script], projectDir, cache);
  const built = join(own, 'dist/emulator/built');
  const files = filesBelow(target).filter((name) => statSync(join(target, name)).isFile());
  // Each kind of machine has its programs and their digests.
  assert.equal(files.length, 2 * (Object.keys(emulatorSources).length + 1));
  for (const file of files)
    assert.ok(readFileSync(join(target, file)).equals(readFileSync(join(built, file))), file);
});

/** Node of who runs the tests, which may be an older one, where there is one that the package is for. */
function nodeOfUser(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((name) => !/node_modules/.test(name));
  const node = folders.map((name) => join(name, 'node')).find((file) => existsSync(file));
  if (node === undefined) return process.execPath;
  const { stdout } = spawnSync(node, ['-p', 'process.version + process.execPath'], { encoding: 'utf8' });
  return /^v(?:2\d|[3-9]\d)[\d.]+(\S+)/.exec(stdout)?.[1] ?? process.execPath;
}

/** A site on this machine's loopback. @returns its port */
async function startSite(t: TestContext): Promise<number> {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('it runs a command behind a network by name and by figures, without a compiler, and as a library', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const node = nodeOfUser();
  t.diagnostic(`by ${String(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).trim()}`);
  const port = await startSite(t);
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
    assert.match(stderr, /^h2h3-link: .*\b\d+ checks of the path (?:passed|failed)/m);
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

test('library and fixture are type-checked from a file of a user, and wrong use of them is found', () => {
  const library = [
    "import { startLink, type Link, type LinkOptions } from 'h2h3-link';",
    "const options: LinkOptions = { down: '10mbit', rtt: '80ms', schedule: 'tunnel.csv', local: [3000] };",
    'const link: Link = await startLink(options);',
    "await link.set('outage');",
    'await link.set({ lossPercent: 5, rateMbps: 1 });',
    "const bytes: number | undefined = (await link.report()).counters['receivedBytes'];",
    'const flow: number | undefined = (await link.report()).flows?.[0]?.downBytes;',
    'console.log(bytes, flow, await link.wrap(process.execPath));',
  ];
  const declared = 'declare const process: { readonly execPath: string };';
  assert.equal(typeCheckIn(folder, 'library.mts', [...library, declared]), '');
  assert.match(
    typeCheckIn(folder, 'wrong.mts', [...library, declared, 'await link.set({ loss: 5 });']),
    /wrong\.mts\(10,\d+\): error/,
  );
  const fixture = [
    "import { expect, test, type H2h3Link, type H2h3Options } from 'h2h3-link/playwright';",
    "const h2h3: H2h3Options = { down: '10mbit', rtt: '80ms' };",
    'test.use({ h2h3 });',
    "test('shop', async ({ h2h3Link }) => {",
    '  const link: H2h3Link = h2h3Link;',
    "  await link.set('outage');",
    '  expect((await link.report()).counters).toBeTruthy();',
    '});',
  ];
  assert.equal(typeCheckIn(folder, 'shop.mts', fixture), '');
  assert.match(
    typeCheckIn(folder, 'misspelt.mts', [...fixture, "const wrong: H2h3Options = { networks: '4g' };"]),
    /misspelt\.mts\(9,\d+\): error/,
  );
});

test('the fixture of the package is imported by a test of Playwright, and says its name where that is not installed', () => {
  const env = { ...process.env, H2H3_CACHE: join(folder, 'cache') };
  const node = nodeOfUser();
  const without = spawnSync(node, ['--input-type=module', '-e', "import 'h2h3-link/playwright'"], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(without.stderr, /h2h3-link\/playwright needs Playwright.* npm install @playwright\/test/);
  const playwright = join(folder, 'node_modules/playwright');
  symlinkSync(join(projectDir, 'node_modules/playwright'), playwright);
  const spec = `import { expect, test } from 'h2h3-link/playwright';
test.use({ h2h3: { network: 'none' } });
test('shop', async ({ h2h3Link }) => {
  expect(h2h3Link.description.id).toBe('loopback');
  expect((await h2h3Link.report()).flows).toBe(null);
});`;
  writeFileSync(join(folder, 'shop.spec.mjs'), spec);
  try {
    const words = [join(playwright, 'cli.js'), 'test', 'shop.spec.mjs'];
    const { stdout, stderr, status } = spawnSync(node, words, { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /1 passed/);
  } finally {
    rmSync(playwright);
  }
});

test('what it cannot do is said in a sentence with a next step of its own, the command is not started, and the code is 3', async (t) => {
  const node = nodeOfUser();
  const launcher = join(own, 'src/cli/launcher.js');
  const refuse = join(folder, 'refuse');
  mkdirSync(refuse);
  for (const name of ['nsenter', 'mount', 'ip'])
    writeFileSync(join(refuse, name), '#!/bin/sh\n', { mode: 0o755 });
  const withoutUnshare = { ...process.env, PATH: refuse };
  const port = await startSite(t);
  const local = ['--local', String(port)];
  const refusals = [
    [['cabel', '--'], /unknown network "cabel"[^]*Did you mean cable\? `npx h2h3-link networks`/],
    [['--rtt', '80', '--'], /--rtt wants a time such as 80ms/],
    [['--down', '900gbit', '--'], /no path can be so: down\.rateMbps/],
    [['--rtt', '80ms', '--schedule', 'none.csv', ...local, '--'], /none\.csv/],
    [['cable', '--set', 'what=1', '--'], /no factor "what"[^]*`npx h2h3-link factors`/],
    [['cable', '--set', 'cpu=25%', '--'], /cpu does not belong to the link[^]*`npx h2h3-link factors`/],
    [['cable', '--set', 'family=6', ...local, '--'], /led over IPv4/],
    [['cable', '--local', '1', '--'], /nothing listens at localhost:1\n/],
    [['cable', '--local', '0', '--'], /local/],
    [['cable', '--wrong', '--'], /unknown option '--wrong'/],
    [['--'], /no network is named[^]*npx h2h3-link cable/],
    [['cable', '--json', '/proc/none/x.json', '--'], /--json \/proc\/none\/x\.json/],
    [
      ['cable', ...local, '--'],
      /there is no program unshare[^]*sudo apt-get install util-linux\.\n/,
      withoutUnshare,
    ],
  ] as const;
  const said: string[] = [];
  for (const [words, expected, env = process.env] of refusals) {
    const command = [...words, '/bin/echo', 'started'];
    const { status, stdout, stderr } = spawnSync(node, [launcher, ...command], {
      encoding: 'utf8',
      cwd: folder,
      env,
    });
    assert.deepEqual([status, stdout], [3, ''], `${command.join(' ')}: ${stderr}`);
    assert.match(stderr, expected);
    said.push(stderr);
  }
  writeFileSync(join(refuse, 'unshare'), '#!/bin/sh\necho "unshare: not permitted" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const outputs = [
    [['cable', ...local, '--', '/bin/echo', 'started'], 3, withoutUnshare],
    [['cable'], 3],
    [['none', '--', '/no/such/command'], 127],
    [['none', '--', '/bin/true'], 0],
    [['--help'], 0],
    [['networks'], 0],
    [['factors'], 0],
  ] as const;
  for (const [words, code, env = process.env] of outputs) {
    const { status, stdout, stderr } = spawnSync(node, [launcher, ...words], {
      encoding: 'utf8',
      cwd: folder,
      env,
    });
    assert.equal(status, code, `${words.join(' ')}: ${stderr}`);
    said.push(stdout + stderr);
  }
  assert.match(said.join('\n'), /no permission to make network namespaces here[^]*use the network none\./);
  const library = "import { startLink } from 'h2h3-link'; await startLink({ network: 'cabel', set: {} });";
  const { stderr } = spawnSync(node, ['--input-type=module', '-e', library], {
    encoding: 'utf8',
    cwd: folder,
  });
  assert.match(stderr, /Error: h2h3-link: unknown network "cabel"/);
  // Neither sends to the other package, nor speaks in its name.
  assert.doesNotMatch([...said, stderr].join('\n'), /npx h2h3 |^h2h3: |--network loopback/m);
});
