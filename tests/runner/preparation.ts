import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import type { Progress } from '../../src/app/app-context.ts';
import { setup } from '../../src/app/machine/setup.ts';
import { findWorkload, workloadCatalogue } from '../../src/app/plan/workload-catalogue.ts';
import { fetchedPlayer } from '../../src/app/versions/fetched-player.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { isAbandoned, lockHolder, makeLock, removeAbandonedLock } from '../../src/core/system/lock-file.ts';
import { processIdentity } from '../../src/core/system/processes/process-identity.ts';
import { projectDir } from '../support/cli.ts';
import { ensureValkey } from '../support/valkey.ts';
import { videoContext } from '../support/video-context.ts';
import { fetchedPages, fetchedPlayers } from './selection.ts';

/** What the tests write at most at one time, and some room for the machine. */
const minFreeBytes = 1_000_000_000;

/** Holds the checkout until the process ends. @throws H2h3Error `usage` where another test run has it, `storage` */
export function holdCheckout(folder: string): () => void {
  const file = join(folder, 'test-run.lock');
  const identity = processIdentity(process.pid);
  try {
    mkdirSync(folder, { recursive: true });
    if (isAbandoned(file)) removeAbandonedLock(file, identity);
    if (makeLock(file, identity)) return () => rmSync(file, { force: true });
  } catch (thrown) {
    throw new H2h3Error('storage', `${folder} cannot be written: ${messageOf(thrown)}`, {
      next: 'Make room there, or make it writable.',
    });
  }
  const pid = lockHolder(file)?.pid ?? 'that is ending';
  throw new H2h3Error('usage', `another test run (process ${pid}) is under way in ${projectDir}`, {
    next: 'Wait for its end, or test a copy of the checkout.',
  });
}

/** @throws H2h3Error `storage` naming the first folder in which the tests could not write */
export function requireRoom(): void {
  for (const [what, folder] of [
    ['the folder for temporary files', tmpdir()],
    ['the home folder', homedir()],
    ['the checkout', projectDir],
  ] as const) {
    requireWritable(what, folder);
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= minFreeBytes) continue;
    const freeMb = Math.floor((bavail * bsize) / 1e6);
    throw new H2h3Error(
      'storage',
      `the disk of ${what} ${folder} has ${freeMb} MB left; the tests need ${minFreeBytes / 1e6} MB`,
      { next: 'Make room there, or set TMPDIR to another disk.' },
    );
  }
}

function requireWritable(what: string, folder: string): void {
  try {
    const own = mkdtempSync(join(folder, '.h2h3-test-'));
    try {
      writeFileSync(join(own, 'file'), 'text');
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  } catch (thrown) {
    throw new H2h3Error('storage', `${what} ${folder} cannot be written: ${messageOf(thrown)}`, {
      next: 'Make it writable, or set HOME and TMPDIR to folders that are.',
    });
  }
}

type Say = (line: string) => void;

/** Fetches, once for all files, what most of them need. @throws H2h3Error `unsupported` for the first thing that cannot be had */
export async function fetchTools(signal: AbortSignal, say: Say): Promise<void> {
  const reporter = sayOnce(say);
  const progress: Progress = { say, show: say, clear: () => undefined, reporter };
  await setup({}, { projectDir, environment: process.env, signal, progress, command: 'npm test' });
}

/** Fetches what tests want besides and could not reach from a network of their own; without it they say so. */
export async function fetchForOwnNetworks(signal: AbortSignal, say: Say): Promise<void> {
  const context = await createSetupContext({ projectDir, signal, progress: sayOnce(say) });
  for (const fetch of [ensureMitmdump, ensureValkey, ensurePages, ensurePlayers])
    try {
      await fetch(context);
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error)) throw thrown;
      say(thrown.message);
    }
}

/** @throws H2h3Error as `fetchPackage` */
async function ensurePages({ cache, progress, signal }: SetupContext): Promise<void> {
  for (const id of fetchedPages) {
    const page = findWorkload(id, workloadCatalogue());
    await page.prepare(videoContext(cache.directory, { progress, signal }));
  }
}

/** @throws H2h3Error as `fetchedPlayer` */
async function ensurePlayers(context: SetupContext): Promise<void> {
  for (const name of fetchedPlayers) await fetchedPlayer(name, context);
}

/** A step tells of itself again and again. */
function sayOnce(say: Say): Progress['reporter'] {
  let said = '';
  return ({ title }) => {
    if (title !== said) say(title);
    said = title;
  };
}
