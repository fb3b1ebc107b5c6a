import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { networkProviders } from '../../harness/network/registry.ts';
import { startLinkPath } from '../../harness/testbed/hops.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { networkSpecSchema } from '../../src/core/model/network-spec.ts';
import { linkFactsOf } from '../../src/core/model/testbed-facts.ts';
import { runProgram } from '../../src/core/system/run-program.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const direction = (delayMs: number, rateMbps: number) => ({ rateMbps, queueBytes: 100_000, delayMs });
const spec = (id: string, delayMs: number, rateMbps: number) =>
  networkSpecSchema.parse({
    id,
    title: id,
    source: 'test',
    up: direction(delayMs, rateMbps),
    down: direction(delayMs, rateMbps),
  });

test('two links in a chain are shaped and checked each by itself, and the middle reaches both ends', async (t) => {
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
  const providers = new Map(
    networkProviders(setup, [spec('near', 5, 20), spec('far', 20, 10)]).map((one) => [one.id, one]),
  );
  const workDir = path.join(tempFolder(t), 'chain');
  mkdirSync(workDir);
  const links = ['near', 'far', 'loopback'].flatMap((id) => providers.get(id) ?? []);
  const options = {
    runId: 'test',
    hosts: ['a.test'],
    tcpCongestionControl: null,
    environment: {},
    cpus: null,
  };
  const linkPath = await startLinkPath(links, options, workDir, () => '127.0.0.1').catch(
    (thrown: unknown) => {
      const refused = pathRefused(messageOf(thrown));
      if (refused === null) throw thrown;
      return refused;
    },
  );
  if (typeof linkPath === 'string') return t.skip(linkPath);
  t.after(() => linkPath.whole.stop());
  const facts = linkPath.links.map(({ description }) => linkFactsOf(description));
  assert.deepEqual(
    facts.map(({ id, roundTripMs, downMbps }) => ({ id, roundTripMs, downMbps })),
    [
      { id: 'near', roundTripMs: 10, downMbps: 20 },
      { id: 'far', roundTripMs: 40, downMbps: 10 },
      { id: 'loopback', roundTripMs: 0, downMbps: null },
    ],
  );
  for (const { checksPassed } of facts.slice(0, 2)) assert.ok(checksPassed >= 10);
  assert.deepEqual(
    linkPath.hops.map(({ address }) => address),
    ['198.18.0.2', '198.18.1.2', '127.0.0.1'],
  );
  const devicesAt = async (prefix: readonly string[]): Promise<string[]> => {
    const [program = '', ...args] = [...prefix, 'ip', '-o', 'link'];
    const { stdout } = await runProgram(program, args, { timeoutMs: 60_000 });
    return [...stdout.matchAll(/: (h2h3-path\d*)/g)].map(([, name = '']) => name).sort();
  };
  assert.deepEqual(await devicesAt(linkPath.clientPrefix), ['h2h3-path']);
  assert.deepEqual(await devicesAt(linkPath.hops[0]?.prefix ?? []), ['h2h3-path', 'h2h3-path1']);
  assert.deepEqual(await devicesAt(linkPath.hops[2]?.prefix ?? []), ['h2h3-path1']);
  const before = await linkPath.whole.counters();
  assert.ok((before['emulatorUpPackets'] ?? 0) > 0, 'the counters of both links add up');
});
