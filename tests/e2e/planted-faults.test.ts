import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../src/model/errors.ts';
import { gateSchema, type Gate } from '../../src/model/gate.ts';
import { runCli } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { cacheWithPlantedPlayer, plantedPlayer } from '../support/planted-player.ts';
import { pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Judged {
  readonly code: number | null;
  readonly said: string;
  readonly gate: () => Gate;
}

/** Some blocks over HTTP/3, of which the gate says what it says; six can decide. */
async function gateOf(
  [baseline, candidate]: readonly [string, string],
  words: readonly string[],
  out: string,
  environment: Readonly<Record<string, string>>,
): Promise<Judged> {
  const both = ['--baseline', baseline, '--candidate', candidate, '--protocols', 'h3'];
  const { code, stdout, stderr } = await runCli(
    ['gate', ...both, ...words, '--force', '--out', out],
    environment,
  );
  const gate = (): Gate => gateSchema.parse(JSON.parse(readFileSync(join(out, 'gate.json'), 'utf8')));
  return { code, said: stdout + stderr, gate };
}

test('a player whose rule always takes the lowest track fails the gate', async (t) => {
  const folder = tempFolder(t);
  let baseline: string;
  try {
    baseline = await cacheWithPlantedPlayer(join(folder, 'cache'));
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return t.skip(thrown.message);
    throw thrown;
  }
  const words = ['--workload', 'video-ci-1s-own-4s', '--network', 'loopback', '--looks', '6'];
  const cache = { H2H3_CACHE: join(folder, 'cache') };
  const worse = await gateOf([baseline, plantedPlayer], words, join(folder, 'worse'), cache);
  assert.equal(worse.code, 1, worse.said);
  const [comparison] = worse.gate().comparisons;
  assert.deepEqual(
    [comparison?.metric, comparison?.verdict, comparison?.baselineArm, comparison?.candidateArm],
    ['timeWeightedBitrateKbps', 'worse', `h3+player=${baseline}`, `h3+player=${plantedPlayer}`],
  );
});

test('a server that answers over a slower path fails the gate', async (t) => {
  const reason = await whyNoNamespaces();
  if (reason !== null) return t.skip(reason);
  const folder = tempFolder(t);
  // Two more than can decide: a busy machine may lose a trial to a path that did not keep up.
  const words = ['--workload', 'download-1mb', '--network', 'cable', '--looks', '8'];
  const fault = ['--inject', 'candidate:rate=-40%'];
  const worse = await gateOf(['caddy', 'caddy'], [...words, ...fault], join(folder, 'worse'), {});
  const refused = pathRefused(worse.said);
  if (refused !== null) return t.skip(refused);
  assert.equal(worse.code, 1, worse.said);
  assert.match(
    worse.said.replace(/\s+/g, ' '),
    /fault injected on purpose into h3\+server=caddy#candidate: rate=-40%/,
  );
});
