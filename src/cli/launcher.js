#!/usr/bin/env node
// Plain JavaScript for any Node from 18 on: goes on in this Node where it is new enough, else in the pinned one.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirOf, ensurePinnedNode, isNewEnough, pinned } from './pinned-node.js';

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

// Stripping types is still called experimental in Node 24; every other warning is shown.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
});

/** Compiled modules: they halve the start of this command and of the workers below it after the first time. */
const cacheDir = cacheDirOf(projectDir);
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
  if (isNewEnough()) {
    // A folder that cannot be written is passed over.
    module.enableCompileCache?.(compileCache);
    await import(main);
    return;
  }
  try {
    handOver(await ensurePinnedNode(cacheDir, (line) => console.error(line)));
  } catch (thrown) {
    console.error(
      `h2h3: Node ${pinned.least} or newer is needed, this is ${process.versions.node}. ${thrown.message}\n` +
        `  next: install Node ${pinned.version}, or make the npm registry reachable.`,
    );
    process.exitCode = 3;
  }
}

/** Goes on in another Node, which ends with this one. */
function handOver(program) {
  // The channel tells the run when this launcher is gone, so that killing one ends both.
  const child = spawn(program, ['--disable-warning=ExperimentalWarning', main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to the child as well, which takes two signals at once for one.
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (cause) => {
    console.error(`h2h3: ${program} cannot be started: ${cause.message}`);
    process.exitCode = 3;
  });
  child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL')
      console.error('h2h3: killed.\n  next: resume a run that was under way by `npx h2h3 run --resume DIR`.');
    process.exitCode = code ?? (['SIGINT', 'SIGTERM', 'SIGHUP'].includes(signal) ? 130 : 4);
  });
}

await launch();
