import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { foundOr } from '../../src/core/model/errors.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { readRecords, readSummary, startCli } from '../support/cli.ts';
import { killIfThere } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** With so many of its six chunks the player has begun, and is far from the session's end: it plays each for two seconds. */
const playedChunks = 2;

/** Chunks that the servers of a run have logged. */
function chunksLogged(temporary: string): number {
  // A server that ends takes its folder along.
  const logs = globSync(join(temporary, '**', 'access.log')).map((file) =>
    foundOr(() => readFileSync(file, 'utf8'), ''),
  );
  return logs.join('\n').match(/\.m4s/g)?.length ?? 0;
}

test('a session whose browser dies is failed with that reason, and is in no figure', async (t) => {
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const session = ['--workload', 'video-padded-2s-bba-12s', '--network', 'loopback', '--client', 'embedded'];
  const length = ['--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start'];
  const cli = startCli(['run', ...session, ...length, '--out', out], { TMPDIR: folder });
  const browsers = (): number[] =>
    processTree(readProcessTable(), cli.child.pid ?? 0).flatMap(({ pid, commandLine }) =>
      commandLine.includes('--user-data-dir') ? [pid] : [],
    );
  await cli.until('a player that has begun', () => chunksLogged(folder) >= playedChunks);
  browsers().forEach(killIfThere);
  const { stderr } = await cli.result;
  const [first, second] = readRecords(out);
  assert.equal(first?.status, 'failed', stderr);
  assert.match(first.reason ?? '', /browser|target|session closed|connection/i);
  assert.equal(second?.status, 'ok', second?.reason);
  const { comparisons, viewing = [] } = readSummary(out);
  assert.ok(
    comparisons.every(({ blocks }) => blocks === 0),
    'a lost session has no pair',
  );
  assert.deepEqual(
    viewing.map(({ arm, sessions, lost }) => [arm, sessions, lost]).toSorted(),
    [first, second]
      .map((record) => [record.arm, record === second ? 1 : 0, record === first ? 1 : 0])
      .toSorted(),
  );
});
