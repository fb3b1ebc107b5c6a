/**
 * `npm run verify:link-nodes`: the tests of the package h2h3-link (link-package.test.ts), which start it by each Node that it is for: the
 * oldest, and the newest of every line from 20 to 26. npm fetches them into the cache of this checkout. Some minutes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectDir } from '../support/cli.ts';
import { linkNodesVariable, runToEnd } from '../support/packed.ts';

/** As npm takes them; the first is the oldest that `engines` of the package allows. */
const versions = ['20.11', '20', '21', '22', '23', '24', '25', '26'];
const packageName = `node-linux-${process.arch}`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A program of Node, fetched once; npm checks its digest. @returns why it cannot be had, where it cannot */
function nodeOf(version: string): { readonly program: string } | string {
  const folder = join(projectDir, '.h2h3', 'nodes', version);
  const program = join(folder, 'bin', 'node');
  if (existsSync(program)) return { program };
  mkdirSync(join(folder, '..'), { recursive: true });
  const half = mkdtempSync(`${folder}.partial-`);
  try {
    runToEnd(
      ['npm', 'pack', '--loglevel=error', '--pack-destination', half, `${packageName}@${version}`],
      half,
    );
    const archive = readdirSync(half).find((name) => name.endsWith('.tgz')) ?? '';
    runToEnd(['tar', 'xzf', archive, '--strip-components=1', 'package/bin/node'], half);
    renameSync(half, folder);
    return { program };
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    return thrown instanceof Error ? (thrown.message.split('\n').at(-1) ?? '') : String(thrown);
  }
}

const found = versions.map((version) => [version, nodeOf(version)] as const);
for (const [version, node] of found) if (typeof node === 'string') say(`left out: Node ${version}: ${node}`);
const programs = found.flatMap(([, node]) => (typeof node === 'string' ? [] : [node.program]));
const ends = [found[0]?.[1], found.at(-1)?.[1]];
if (ends.some((node) => node === undefined || typeof node === 'string')) {
  say('without the oldest and the newest Node nothing is proven');
  process.exitCode = 1;
} else {
  const { status } = spawnSync(
    process.execPath,
    ['--test', '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'link-package.test.ts')],
    { stdio: 'inherit', env: { ...process.env, [linkNodesVariable]: programs.join(delimiter) } },
  );
  process.exitCode = status ?? 1;
}
