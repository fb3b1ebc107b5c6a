/**
 * Puts the Node that came as a package where the scripts of package.json look for it. npm 9 and 10 leave `node_modules/.bin/node`
 * out: after linking they remove the packages for other platforms, and the link of the same name with them. npm runs this
 * after `npm ci`, and the tests begin with it. Plain JavaScript, for any Node that npm runs on.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The first major version that runs TypeScript by itself and that every dependency supports. */
const neededMajor = 24;
const isWindows = process.platform === 'win32';
const packages = join(fileURLToPath(new URL('.', import.meta.url)), '..', 'node_modules');
const program = isWindows
  ? `node-win-${process.arch}/bin/node.exe`
  : `node-${process.platform}-${process.arch}/bin/node`;
const isInstalled = existsSync(join(packages, program));
const link = join(packages, '.bin', 'node');

// A link that leads nowhere does not exist either. On Windows npm's own is a script for a shell.
if (isInstalled && !isWindows && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join('..', program), link);
}

const installing = process.env.npm_lifecycle_event === 'prepare';
if (!isInstalled && !installing && Number.parseInt(process.versions.node, 10) !== neededMajor) {
  process.stderr.write(
    `h2h3: Node ${neededMajor} is needed here, and this is ${process.versions.node}: \`npm ci\` brings it, unless optional packages are left out.\n`,
  );
  process.exitCode = 3;
}
