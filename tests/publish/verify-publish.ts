/**
 * `npm run verify:publish`: publishes the package to a registry of its own on loopback, and installs it from there as anybody
 * would: `npx h2h3@VERSION` in an empty folder with an empty home, and `npm install --global` into a folder of its own. The
 * registry (Verdaccio) is fetched for it, hands on what it does not have from the registry that this machine's npm asks, and is
 * gone with everything else at the end. It takes some minutes; times and sizes are printed.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { filesBelow, packInto, runToEnd } from '../support/packed.ts';
import { projectDir } from '../support/source-graph.ts';

const verdaccio = 'verdaccio@6.10.4';
const maxInstalledMegabytes = 200;
const startPatienceMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'h2h3-publish-'));
const place = (...names: string[]): string => join(folder, ...names);

/** What somebody has who never ran npm here: no home, no cache, nothing of this checkout. */
function emptyEnvironment(port: number): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|NODE_COMPILE_CACHE|H2H3_)/i.test(name),
  );
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'));
  mkdirSync(place('home'), { recursive: true });
  const registry = `//127.0.0.1:${port}/`;
  writeFileSync(
    place('home', '.npmrc'),
    `registry=http:${registry}\n${registry}:_authToken=anything\nnoproxy=127.0.0.1\nupdate-notifier=false\n`,
  );
  return {
    ...Object.fromEntries(own),
    PATH: path.join(delimiter),
    HOME: place('home'),
    XDG_CACHE_HOME: place('home', '.cache'),
    NO_PROXY: [process.env['NO_PROXY'] ?? process.env['no_proxy'], '127.0.0.1'].filter(Boolean).join(','),
  };
}

async function startRegistry(port: number): Promise<ChildProcess> {
  mkdirSync(place('registry'));
  // Where a registry lacks dist-tags, npm resolves no range to it: the newest that Verdaccio takes is named.
  writeFileSync(place('registry', 'package.json'), '{"private":true,"overrides":{"node-fetch":"2.7.0"}}');
  runToEnd(['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', verdaccio], place('registry'));
  const uplink = runToEnd(['npm', 'config', 'get', 'registry'], projectDir).trim();
  writeFileSync(
    place('registry', 'config.yaml'),
    [
      `storage: ${place('storage')}`,
      `auth: { htpasswd: { file: ${place('registry', 'htpasswd')} } }`,
      `uplinks: { configured: { url: '${uplink}', timeout: 60s, maxage: 60m } }`,
      'packages:',
      // Nothing of this name comes from elsewhere.
      `  h2h3: { access: $all, publish: $all }`,
      `  '**': { access: $all, proxy: configured }`,
      'max_body_size: 100mb',
      'log: { type: stdout, format: pretty, level: error }',
      '',
    ].join('\n'),
  );
  const program = place('registry', 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const words = [program, '--config', place('registry', 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, words, {
    cwd: place('registry'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const deadlineMs = Date.now() + startPatienceMs;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadlineMs) throw new Error('the registry does not answer');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return child;
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/-/ping`)).ok;
  } catch {
    return false; // it has not begun to listen
  }
}

/** What a folder holds, links not followed. */
function megabytesOf(path: string): number {
  return Math.round(filesBelow(path).reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0) / 1e6);
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end and prints how long it took. @throws Error with what it said where it fails */
function timed(command: readonly [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv): Said {
  const begunMs = Date.now();
  const [program, ...words] = command;
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  process.stdout.write(`${command.join(' ')}: ${((Date.now() - begunMs) / 1000).toFixed(1)} s\n`);
  if (status === 0) return { stdout, stderr };
  throw new Error(`it ended with ${status ?? String(error)}\n${stdout}\n${stderr}`);
}

function publish(tarball: string, version: string, env: NodeJS.ProcessEnv): void {
  const dry = timed(['npm', 'publish', '--dry-run', tarball], folder, env);
  assert.doesNotMatch(dry.stderr, /npm warn/i);
  timed(['npm', 'publish', tarball], folder, env);
  const { stdout } = timed(['npm', 'view', `h2h3@${version}`, 'dist.integrity'], folder, env);
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  assert.equal(stdout.trim(), `sha512-${digest}`);
}

function runByNpx(version: string, env: NodeJS.ProcessEnv): void {
  const empty = place('empty');
  mkdirSync(empty);
  const words = ['run', 'download', '--network', 'loopback', '--repetitions', '2', '--exploratory'];
  timed(['npx', '--yes', `h2h3@${version}`, ...words, '--out', 'first'], empty, env);
  const records = readFileSync(join(empty, 'first', 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TrialRecord);
  const valid = records.filter(({ status }) => status === 'ok').length;
  process.stdout.write(`  ${valid} of ${records.length} trials valid\n`);
  assert.ok(records.length > 0 && valid === records.length);
  assert.ok(existsSync(join(empty, 'first', 'report.html')));
  process.stdout.write(`  fetched beside the package: ${megabytesOf(place('home', '.cache', 'h2h3'))} MB\n`);
}

function installGlobally(version: string, env: NodeJS.ProcessEnv): void {
  const prefix = place('global');
  timed(['npm', 'install', '--global', `h2h3@${version}`, '--prefix', prefix], folder, env);
  const megabytes = megabytesOf(join(prefix, 'lib'));
  process.stdout.write(`  installed: ${megabytes} MB\n`);
  assert.ok(megabytes <= maxInstalledMegabytes, `${megabytes} MB`);
  const h2h3 = join(prefix, 'bin', 'h2h3');
  assert.equal(timed([h2h3, '--version'], folder, env).stdout.trim(), version);
  timed([h2h3, 'completion', 'bash', '--install'], folder, env);
}

let registry: ChildProcess | undefined;
try {
  const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  mkdirSync(place('packed'));
  const tarball = packInto(place('packed'));
  process.stdout.write(`packed: ${(lstatSync(tarball).size / 1e6).toFixed(1)} MB\n`);
  const port = await choosePort(undefined);
  const env = emptyEnvironment(port);
  registry = await startRegistry(port);
  publish(tarball, version, env);
  runByNpx(version, env);
  installGlobally(version, env);
} finally {
  if (registry?.exitCode === null && registry.kill()) await once(registry, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
