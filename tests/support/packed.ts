import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { emulatorSources } from '../../harness/network/emulator-programs.ts';
import { projectDir } from './source-graph.ts';

/** Runs a program to its end; fails with what it said when it ends badly. */
export function runToEnd(
  command: readonly [string, ...string[]],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): string {
  const [program, ...words] = command;
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command.join(' ')} ended with ${status ?? String(error)}\n${stdout}\n${stderr}`);
}

/** Builds the package and packs it into `folder`; the path of the tarball. */
export function packInto(folder: string): string {
  const said = runToEnd(['npm', 'pack', '--json', '--pack-destination', folder], projectDir);
  const [packed] = JSON.parse(said.slice(said.indexOf('['))) as [{ readonly filename: string }];
  return join(folder, packed.filename);
}

/**
 * An empty project with the package unpacked in it and, in place of what npm would fetch, links to the packages that this
 * checkout has. Only what the package declares is there: no development dependency, no optional peer.
 */
export function installOffline(tarball: string, folder: string): void {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'h2h3');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  runToEnd(['tar', 'xzf', tarball, '--strip-components=1', '-C', own], folder);
  const listed = runToEnd(['npm', 'ls', '--all', '--omit=dev', '--omit=peer', '--parseable'], projectDir);
  const root = join(projectDir, 'node_modules');
  for (const line of listed.split('\n').filter((path) => path.startsWith(root))) {
    const name = line.slice(root.length + 1);
    // What is nested comes along with the package that holds it.
    if (name.includes('node_modules')) continue;
    const target = join(modules, name);
    if (name.startsWith('@')) mkdirSync(join(modules, name.split('/')[0] ?? ''), { recursive: true });
    if (!existsSync(target)) symlinkSync(line, target);
  }
}

/** Files of a folder below `parent`, at every depth. */
export function filesBelow(parent: string): string[] {
  return readdirSync(parent, { recursive: true, encoding: 'utf8' });
}

/** Number of a kind of machine in the header of an ELF file (`e_machine`, elf(5)). */
const machines: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };

/** Kind of machine that a program is for, as `process.arch`, by its header. */
export const machineOf = (file: string): string => machines[readFileSync(file).readUInt16LE(18)] ?? 'another';

/** Names of the emulator's programs below a folder of a package, by the kind of machine that they are for. */
export function programsByMachine(folder: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const files = filesBelow(folder).filter(
    (name) => basename(name) in emulatorSources && statSync(join(folder, name)).isFile(),
  );
  for (const file of files.toSorted()) {
    const machine = machineOf(join(folder, file));
    (found[machine] ??= []).push(basename(file));
  }
  return Object.fromEntries(Object.entries(found).map(([machine, names]) => [machine, names.toSorted()]));
}

/** Fails unless the compiler takes the one file of a user below `folder` and all that it imports, and refuses the other where it is wrong. */
export function assertTypesIn(
  folder: string,
  [right, rightLines]: readonly [name: string, lines: readonly string[]],
  [wrong, wrongLines, refusal]: readonly [name: string, lines: readonly string[], refusal: RegExp],
): void {
  const compiler = join(projectDir, 'node_modules/typescript-7/bin/tsc');
  writeFileSync(join(folder, right), rightLines.join('\n'));
  writeFileSync(join(folder, wrong), wrongLines.join('\n'));
  const words = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022,dom', right, wrong];
  const { stdout } = spawnSync(process.execPath, [compiler, ...words], { cwd: folder, encoding: 'utf8' });
  assert.match(stdout, refusal);
  const ofOthers = stdout.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith(`${wrong}(`));
  assert.deepEqual(ofOthers, []);
}

/** Builds `h2h3-link` and packs it into `folder`; the path of the tarball. */
export function packLinkInto(folder: string): string {
  runToEnd(['node', 'build/build-link.ts'], projectDir);
  const built = join(projectDir, 'dist-link');
  const said = runToEnd(['npm', 'pack', '--json', '--pack-destination', folder], built);
  const [packed] = JSON.parse(said.slice(said.indexOf('['))) as [{ readonly filename: string }];
  return join(folder, packed.filename);
}

/** Variable with the programs of Node that start h2h3-link in its tests, apart as in PATH. Default: the one on PATH. */
export const linkNodesVariable = 'H2H3_LINK_NODES';

/** A program of Node, with its version. */
export interface LinkNode {
  readonly program: string;
  readonly version: string;
}

function versionOf(node: string): LinkNode | null {
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node + " " + process.execPath'], {
    encoding: 'utf8',
  });
  const [, version, program] = /^([\d.]+) (\S+)$/m.exec(stdout ?? '') ?? [];
  return version === undefined || program === undefined ? null : { program, version };
}

/** Those by which h2h3-link is tried: the ones that are named, else the one on PATH, which may be older than the tests need. */
export function linkNodes(): LinkNode[] {
  const named = process.env[linkNodesVariable]?.split(delimiter) ?? [];
  if (named.length > 0)
    return named.map((node) => versionOf(node) ?? { program: node, version: 'that does not start' });
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((name) => !/node_modules/.test(name));
  const onPath = folders.map((name) => join(name, 'node')).find((file) => existsSync(file));
  const own = onPath === undefined ? null : versionOf(onPath);
  const isForIt = own !== null && Number.parseInt(own.version, 10) >= 20;
  return [isForIt ? own : { program: process.execPath, version: process.versions.node }];
}
