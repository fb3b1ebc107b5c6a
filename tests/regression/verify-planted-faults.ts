/**
 * Sees that gates of players and servers find what was planted, with their own presets and all of their interim analyses, and that a
 * player and a server against themselves pass:
 *
 *     npm run verify:faults [-- --folder DIR]
 *
 * It wants network namespaces and takes up to three hours; the folder is kept where it is named. `tests/e2e/planted-server`
 * and `tests/wide/planted-player` do the same in few blocks.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readGate, startCli } from '../support/cli.ts';
import { cacheWithPlantedPlayer, plantedPlayer } from '../support/planted-player.ts';

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-faults-'));
const folder = values.folder ?? join(temporary, 'runs');
const cache = join(temporary, 'cache');
/** Twenty blocks of two sessions of a minute, and as long again for a busy machine. */
const longestMs = 90 * 60_000;

/** Runs a gate to its end, which must find the candidate worse, or must not. */
async function gate(name: string, words: readonly string[], isWorse: boolean): Promise<void> {
  const out = join(folder, name);
  const startMs = performance.now();
  const { child, result } = startCli(
    ['gate', ...words, '--out', out, '--force'],
    { H2H3_CACHE: cache },
    { hungMs: longestMs },
  );
  child.stderr?.pipe(process.stderr);
  const { code, stdout } = await result;
  const { outcome, blocks } = readGate(out);
  const minutes = (performance.now() - startMs) / 60_000;
  process.stdout.write(`${stdout}\n${name}: ${outcome} after ${blocks} blocks, ${minutes.toFixed(1)} min\n`);
  assert.equal(outcome === 'worse', isWorse, `${name}: ${outcome}`);
  assert.equal(code, isWorse ? 1 : 0, `${name} ended with ${code}`);
}

try {
  const player = await cacheWithPlantedPlayer(cache);
  const server = ['--baseline', 'caddy', '--candidate', 'caddy'];
  await gate('player-lowest', ['--baseline', player, '--candidate', plantedPlayer], true);
  await gate('player-itself', ['--baseline', player, '--candidate', player], false);
  const slower = ['--network', 'cable', '--inject', 'candidate:delay=+40%'];
  await gate('server-slower', [...server, ...slower], true);
  await gate('server-itself', server, false);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
