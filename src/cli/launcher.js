#!/usr/bin/env node
// Plain JavaScript for any Node from 18 on: finds the Node that the project carries and hands over to it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectDir = join(dirname(realpathSync(fileURLToPath(import.meta.url))), '..', '..');
const require = module.createRequire(import.meta.url);
const inCheckout = existsSync(join(projectDir, 'src', 'cli', 'main.ts'));
/** TypeScript in a checkout, compiled in the package. */
const main = inCheckout
  ? join(projectDir, 'src', 'cli', 'main.ts')
  : join(projectDir, 'dist', 'src', 'cli', 'main.js');

/** A file of a package that came with this one; undefined where npm left it out. */
function fileOfPackage(name) {
  try {
    return require.resolve(name);
  } catch {
    return undefined; // not installed: the caller says what to do
  }
}

const pinnedNode =
  process.platform === 'win32'
    ? fileOfPackage(`node-win-${process.arch}/bin/node.exe`)
    : fileOfPackage(`node-${process.platform}-${process.arch}/bin/node`);
/** The first major version that runs TypeScript by itself and that every dependency supports. */
const neededMajor = 24;

// Stripping types is still called experimental in Node 24; every other warning is shown.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
});

/** Compiled modules: they halve the start of this command and of the workers below it after the first time. */
const cacheDir = inCheckout
  ? join(projectDir, '.h2h3')
  : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'h2h3');
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(cacheDir, 'compile-cache');
process.env.NODE_COMPILE_CACHE = compileCache;

const watchEveryMs = 500;

/** Parent of a process by `/proc`; undefined elsewhere than on Linux, and when it is gone. */
function parentOf(pid) {
  try {
    // The name in brackets may hold spaces and brackets itself.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    return Number(parent);
  } catch {
    return undefined;
  }
}

/**
 * npm and npx start commands through a shell, and a signal for them ends npm and that shell but not what the shell
 * started. So under them the end of either counts as SIGTERM. A program that is started otherwise outlives its parent, as
 * with nohup.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOf(parent) === grandparent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, watchEveryMs);
  timer.unref();
}

async function launch() {
  if (fileOfPackage('zod') === undefined) {
    const next = inCheckout ? `\`npm ci\` in ${projectDir}` : '`npm install h2h3` again';
    console.error(`h2h3: its packages are not installed.\n  next: run ${next}`);
    process.exitCode = 3;
    return;
  }
  endWithNpm();
  if (Number.parseInt(process.versions.node, 10) === neededMajor) {
    // A folder that cannot be written is passed over.
    module.enableCompileCache?.(compileCache);
    await import(main);
    return;
  }
  if (pinnedNode === undefined) {
    console.error(
      `h2h3: Node ${neededMajor} is needed, this is ${process.versions.node}, and npm brought none for ${process.platform} on ${process.arch}.\n` +
        `  next: install again without leaving optional packages out, or use Node ${neededMajor}.`,
    );
    process.exitCode = 3;
    return;
  }
  // The channel tells the run when this launcher is gone, so that killing one ends both.
  const child = spawn(pinnedNode, ['--disable-warning=ExperimentalWarning', main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to the child as well, which takes two signals at once for one.
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (cause) => {
    console.error(`h2h3: ${pinnedNode} cannot be started: ${cause.message}`);
    process.exitCode = 3;
  });
  child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL')
      console.error(
        'h2h3: killed.\n  next: a run that was under way goes on with `npx h2h3 run --resume DIR`.',
      );
    process.exitCode = code ?? (['SIGINT', 'SIGTERM', 'SIGHUP'].includes(signal) ? 130 : 4);
  });
}

await launch();
