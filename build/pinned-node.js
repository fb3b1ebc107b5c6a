/**
 * Sees to it that the scripts of package.json have a Node that runs TypeScript: where this one is too old, the pinned one is
 * fetched and linked where those scripts look first. npm runs this after `npm ci`, and the tests begin with it. Plain
 * JavaScript, for any Node that npm runs on.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirOf, ensurePinnedNode, isNewEnough, pinned } from '../src/cli/pinned-node.js';

const projectDir = join(fileURLToPath(new URL('.', import.meta.url)), '..');
const binDir = join(projectDir, 'node_modules', '.bin');
const installing = process.env.npm_lifecycle_event === 'prepare';
const say = (line) => process.stderr.write(`${line}\n`);

/** npm makes a script for its shell on Windows, and a link elsewhere; so does this. */
function linkTo(program) {
  mkdirSync(binDir, { recursive: true });
  if (process.platform === 'win32') return writeFileSync(join(binDir, 'node.cmd'), `@"${program}" %*\r\n`);
  const link = join(binDir, 'node');
  rmSync(link, { force: true });
  symlinkSync(program, link);
}

if (isNewEnough()) {
  if (installing) say(`h2h3: this Node ${process.versions.node} is new enough, so no other is fetched.`);
} else {
  try {
    linkTo(await ensurePinnedNode(cacheDirOf(projectDir), say));
  } catch (thrown) {
    say(
      `h2h3: Node ${pinned.least} or newer is needed, and this is ${process.versions.node}. ${thrown.message}\n` +
        `  next: install Node ${pinned.version}, or make the registry reachable and run this again.`,
    );
    // The packages are installed by then, and every command says this again.
    if (!installing) process.exitCode = 3;
  }
}
