import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { readGate, runCli } from '../support/cli.ts';
import { cacheWithPlantedPlayer, plantedPlayer } from '../support/planted-player.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a player whose rule always takes the lowest track fails the gate', async (t) => {
  const folder = tempFolder(t);
  let baseline: string;
  try {
    baseline = await cacheWithPlantedPlayer(join(folder, 'cache'));
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return t.skip(thrown.message);
    throw thrown;
  }
  const out = join(folder, 'worse');
  const both = ['--baseline', baseline, '--candidate', plantedPlayer, '--protocols', 'h3'];
  const words = ['--workload', 'video-ci-1s-own-4s', '--network', 'loopback', '--interims', '6'];
  const { code, stdout, stderr } = await runCli(['gate', ...both, ...words, '--force', '--out', out], {
    H2H3_CACHE: join(folder, 'cache'),
  });
  assert.equal(code, 1, stdout + stderr);
  const { comparisons } = readGate(out);
  const [comparison] = comparisons;
  assert.deepEqual(
    [comparison?.metric, comparison?.verdict, comparison?.baselineArm, comparison?.candidateArm],
    ['timeWeightedBitrateKbps', 'worse', `h3+player=${baseline}`, `h3+player=${plantedPlayer}`],
  );
});
