import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  chmodSync,
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
import { basename, dirname, join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import {
  assertTypesIn,
  filesBelow,
  linkNodes,
  machineOf,
  packLinkInto,
  programsByMachine,
  runToEnd,
} from '../support/packed.ts';
import { readReport, startAndEndLinks, type LinkEnd } from '../exec/exec-cases.ts';
import { unpackLink } from '../exec/link-world.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { ordinaryUser } from '../support/ordinary-user.ts';
import { goneLimitMs, startLimitMs } from '../support/processes.ts';
import { projectDir } from '../support/source-graph.ts';
import { refusalsInNamespaces, refusalsOf, type Refusal } from './link-refusals.ts';
import { emulatorSources, emulatorToolName } from '../../harness/network/emulator-programs.ts';

const run = promisify(execFile);
const maxBytes = 5_000_000;

let folder = '';
let own = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'h2h3-link-'));
  chmodSync(folder, 0o755);
  const tarball = packLinkInto(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  own = unpackLink(tarball, folder);
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const nodes = linkNodes();

/** A test by each Node that the package is tried by. */
function byEachNode(name: string, body: (t: TestContext, node: string) => Promise<void> | void): void {
  for (const { version, program } of nodes) test(`${name} (Node ${version})`, (t) => body(t, program));
}

test('the package is small, needs no other, and has every program for both kinds of machines, with its words and licence', () => {
  const files = filesBelow(own).filter((name) => statSync(join(own, name)).isFile());
  const bytes = files.reduce((sum, name) => sum + statSync(join(own, name)).size, 0);
  assert.ok(bytes <= maxBytes, `${bytes} bytes`);
  const described = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<string, unknown>;
  const needed = Object.keys(described).filter((name) => /dependencies|scripts/i.test(name));
  assert.deepEqual([needed, described['license'], described['os']], [[], 'MIT', ['linux']]);
  assert.match(String(described['version']), /^\d+\.\d+\.\d+$/);
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
await buildStaticPrograms('${target}');`;
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

/** A site on this machine's loopback. @returns its port */
async function startSite(t: TestContext): Promise<number> {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const launcher = (): string => join(own, 'src/cli/launcher.js');

/** A program of Node that says what a site answers. */
const asking = (port: number): string =>
  `fetch('http://localhost:${port}/').then((answer) => answer.text()).then((text) => console.log(text))`;

byEachNode(
  'it runs a command behind a network by name and by figures, without a compiler, and as a library',
  async (t, node) => {
    const lacking = await namespaceLack();
    if (lacking !== null) return t.skip(lacking);
    const port = await startSite(t);
    const cache = join(folder, 'cache');
    const env = { ...process.env, H2H3_CACHE: cache, H2H3_PATH_BACKEND: 'emulator' };
    const options = { cwd: folder, env };
    for (const network of [
      ['cable'],
      ['--down', '10mbit', '--up', '2mbit', '--rtt', '80ms', '--loss', '0.1%'],
    ]) {
      const words = [launcher(), ...network, '--local', String(port), '--', node, '-e', asking(port)];
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
    const joined = `import { joinLink } from 'h2h3-link';
const link = joinLink();
await link.set('outage');
console.log(link.network, Object.keys((await link.report()).counters).length > 0);`;
    writeFileSync(join(folder, 'joined.mjs'), joined);
    const behind = [launcher(), 'cable', '--no-check', '--local', String(port), '--', node, 'joined.mjs'];
    const { stdout, stderr } = await run(node, behind, options);
    assert.equal(stdout, 'cable true\n');
    assert.match(stderr, /^h2h3-link: cable: the command changed it 1 time$/m);
  },
);

/** A program that starts others of arm64 on any machine; undefined where there is none. */
const qemu = ['/usr/bin/qemu-aarch64', '/usr/bin/qemu-aarch64-static'].find((file) => existsSync(file));

/** What the check of a path measured, the least first. */
interface Measured {
  readonly rttMs?: readonly number[];
  readonly mbps?: readonly number[];
}

test('the programs for arm64 shape a path too', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  if (process.arch === 'arm64') return t.skip('this machine is one: every other test here uses them');
  if (qemu === undefined) return t.skip('there is no qemu-aarch64: apt-get install qemu-user');
  const [arm = ''] = filesBelow(own).filter(
    (name) => basename(name) === 'path-emulator' && machineOf(join(own, name)) === 'arm64',
  );
  // What starts them has the place of the programs for this machine.
  const tools = join(folder, 'arm64', 'tools', await emulatorToolName(process.arch));
  mkdirSync(tools, { recursive: true });
  for (const program of Object.keys(emulatorSources))
    writeFileSync(
      join(tools, program),
      `#!/bin/sh\nexec ${qemu} '${join(own, dirname(arm), program)}' "$@"\n`,
      { mode: 0o755 },
    );
  for (const program of Object.keys(emulatorSources)) chmodSync(join(own, dirname(arm), program), 0o755);
  const port = await startSite(t);
  const json = join(folder, 'arm64.json');
  const figures = ['--down', '10mbit', '--up', '2mbit', '--rtt', '80ms', '--json', json];
  const words = [launcher(), ...figures, '--local', String(port), '--', process.execPath, '-e', asking(port)];
  const env = { ...process.env, H2H3_CACHE: join(folder, 'arm64') };
  // Programs that are translated are late now and then, and more so where they lose their CPU; what they shape is near to what is set.
  const found: Measured[] = [];
  for (let tries = 0; tries < 3 && !isNear(found.at(-1)); tries++) {
    const { stdout, stderr } = await run(process.execPath, words, { cwd: folder, env });
    assert.equal(stdout, 'here\n', stderr);
    const { networks, runs } = readReport(json);
    assert.ok((runs[0]?.counters['emulatorDownPackets'] ?? 0) > 0, stderr);
    const measuredOf = (name: string): number[] =>
      (networks[0]?.checks ?? [])
        .filter(({ quantity }) => quantity.startsWith(name))
        .map(({ measured }) => measured)
        .toSorted((a, b) => a - b);
    found.push({ rttMs: measuredOf('round-trip time'), mbps: measuredOf('rate, UDP') });
    t.diagnostic(JSON.stringify(found.at(-1)));
  }
  assert.ok(isNear(found.at(-1)), JSON.stringify(found));
});

/** To 80 ms, 2 Mbit/s up and 10 down. */
function isNear({
  rttMs: [rttMs = NaN] = [],
  mbps: [upMbps = NaN, downMbps = NaN] = [],
}: Measured = {}): boolean {
  const isRate = (mbps: number, set: number): boolean => Math.abs(mbps / set - 1) < 0.1;
  return rttMs >= 79.5 && rttMs < 120 && isRate(upMbps, 2) && isRate(downMbps, 10);
}

test('nothing is left of networks that end by themselves or are killed, by the command and by the library', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const place = join(folder, 'ends');
  mkdirSync(place);
  chmodSync(place, 0o777);
  const user = ordinaryUser(join(place, 'user'));
  if (typeof user === 'string') return t.skip(user);
  writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}');
  mkdirSync(join(place, 'node_modules'));
  symlinkSync(own, join(place, 'node_modules', 'h2h3-link'));
  const ends: LinkEnd[] = [];
  const link = { folder: place, node: process.execPath, user, port: await startSite(t) };
  const limits = { spreadMs: null, goneLimitMs, wholeMachine: false };
  await startAndEndLinks(link, 6, limits, (end) => ends.push(end));
  assert.equal(ends.length, 6);
  for (const { what, atWork, namespaces, faults } of ends) {
    assert.ok(atWork && namespaces >= 2, `${what}: at work ${atWork}, ${namespaces} namespaces`);
    assert.deepEqual(faults, [], what);
  }
});

test('library and fixture are type-checked from a file of a user, and wrong use of them is found', () => {
  const library = [
    "import { joinLink, startLink, type JoinedLink, type Link, type LinkOptions } from 'h2h3-link';",
    "const options: LinkOptions = { down: '10mbit', rtt: '80ms', schedule: 'tunnel.csv', local: [3000] };",
    'const link: Link = await startLink(options);',
    "await link.set('outage');",
    'await link.set({ lossPercent: 5, rateMbps: 1 });',
    "const bytes: number | undefined = (await link.report()).counters['receivedBytes'];",
    'const flow: number | undefined = (await link.report()).flows?.[0]?.downBytes;',
    'const joined: JoinedLink = joinLink();',
    'console.log(bytes, flow, joined.network, await link.wrap(process.execPath));',
  ];
  const declared = [...library, 'declare const process: { readonly execPath: string };'];
  const wrong = [...declared, 'await link.set({ loss: 5 });'];
  assertTypesIn(folder, ['library.mts', declared], ['wrong.mts', wrong, /^wrong\.mts\(11,\d+\): error/m]);
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
  const misspelt = [...fixture, "const wrong: H2h3Options = { networks: '4g' };"];
  assertTypesIn(folder, ['shop.mts', fixture], ['misspelt.mts', misspelt, /^misspelt\.mts\(9,\d+\): error/m]);
});

byEachNode(
  'the fixture of the package is imported by a test of Playwright, and says its name where that is not installed',
  (_, node) => {
    const env = { ...process.env, H2H3_CACHE: join(folder, 'cache') };
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
      const words = [join(playwright, 'cli.js'), 'test', 'shop.spec.mjs', `--timeout=${startLimitMs}`];
      const { stdout, stderr, status } = spawnSync(node, words, { cwd: folder, env, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /1 passed/);
    } finally {
      rmSync(playwright);
    }
  },
);

/** What is said of each, which must be a refusal before the command. */
function saidOf(refusals: readonly Refusal[], node: string): string[] {
  return refusals.map(([words, expected, { env = process.env, prefix = [] } = {}]) => {
    const [program = '', ...others] = [...prefix, node, launcher(), ...words, '--', '/bin/echo', 'started'];
    const { status, stdout, stderr } = spawnSync(program, others, {
      encoding: 'utf8',
      cwd: folder,
      env: { ...env, H2H3_CACHE: join(folder, 'cache') },
    });
    assert.deepEqual([status, stdout], [3, ''], `${words.join(' ')}: ${stderr}`);
    assert.match(stderr, expected);
    assert.match(stderr, /^ {2}next: \S/m, words.join(' '));
    return stderr;
  });
}

byEachNode(
  'what it cannot do is said in a sentence with a next step of its own, the command is not started, and the code is 3',
  async (t, node) => {
    const refuse = mkdtempSync(join(folder, 'refuse-'));
    for (const name of ['nsenter', 'mount', 'ip'])
      writeFileSync(join(refuse, name), '#!/bin/sh\n', { mode: 0o755 });
    const withoutUnshare = { ...process.env, PATH: refuse };
    const local = ['--local', String(await startSite(t))];
    const lacking = await namespaceLack();
    if (lacking !== null) t.diagnostic(`left out: what wants a namespace: ${lacking}`);
    const said = saidOf(
      [...refusalsOf(local, withoutUnshare), ...(lacking === null ? refusalsInNamespaces(local) : [])],
      node,
    );
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
      const { status, stdout, stderr } = spawnSync(node, [launcher(), ...words], {
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
  },
);
