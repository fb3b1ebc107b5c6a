import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasChanged, recordLinkAfter } from '../../../../src/app/run/link-after-run.ts';
import type { Environment, RealLink } from '../../../../src/core/model/environment.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { RunDirectory } from '../../../../src/store/run-directory.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';

const datagrams = { mbps: 100, lossPercent: 0, overtakenPercent: 0 };
const before: RealLink = {
  roundTripMs: 0.3,
  upMbps: 900,
  downMbps: 900,
  udp: { roundTripMs: 0.3, askedMbps: 100, up: datagrams, down: datagrams },
};

test('a link has changed where it is another by more than two short measurements differ', () => {
  const others: readonly (readonly [Partial<RealLink>, boolean])[] = [
    [{}, false],
    [{ roundTripMs: 0.45 }, false],
    [{ roundTripMs: 0.6 }, true],
    [{ downMbps: 650 }, false],
    [{ upMbps: 90 }, true],
    [{ udp: undefined }, false],
  ];
  for (const [other, expected] of others)
    assert.equal(hasChanged(before, { ...before, ...other }), expected, JSON.stringify(other));
  const losing = { ...datagrams, lossPercent: 3 };
  assert.equal(
    hasChanged(before, { ...before, udp: { roundTripMs: 0.3, askedMbps: 100, up: datagrams, down: losing } }),
    true,
  );
});

/** What is written of a run whose link does this afterwards. */
async function written(after: RealLink | H2h3Error, warnings: readonly string[] = []): Promise<Environment> {
  const known = environmentFixture(['chromium'], ['cable', 'loopback']);
  let environment: Environment = {
    ...known,
    networks: known.networks.map((network, at) => (at === 0 ? { ...network, realLink: before } : network)),
    warnings: [...warnings],
  };
  const directory: Pick<RunDirectory, 'environment' | 'writeEnvironment'> = {
    environment: () => environment,
    writeEnvironment: (now) => (environment = now),
  };
  const link = {
    measure: (): Promise<RealLink> =>
      after instanceof H2h3Error ? Promise.reject(after) : Promise.resolve(after),
  };
  await recordLinkAfter({ linkBehind: () => link }, directory as RunDirectory, contextThatSays().context);
  return environment;
}

test('each link is measured once, and told with the networks before it', async () => {
  const known = environmentFixture(['chromium'], ['cable', 'loopback']);
  const [network] = known.networks;
  assert.ok(network !== undefined);
  const ids = ['host', 'cable', 'host/host'];
  let environment: Environment = {
    ...known,
    networks: ids.map((id) => ({ ...network, id, realLink: before })),
  };
  const directory = {
    environment: () => environment,
    writeEnvironment: (now: Environment) => (environment = now),
  };
  const measured: string[] = [];
  const linkTo = (machine: string, upMbps: number) => ({
    measure: () => {
      measured.push(machine);
      return Promise.resolve({ ...before, upMbps });
    },
  });
  const toServers = linkTo('servers', 901);
  const toProxies = linkTo('proxies', 902);
  const linkBehind = (id: string) => (id.includes('/') ? toProxies : toServers);
  await recordLinkAfter({ linkBehind }, directory as unknown as RunDirectory, contextThatSays().context);
  assert.deepEqual(measured, ['servers', 'proxies']);
  assert.deepEqual(
    environment.networks.map(({ id, realLinkAfter }) => [id, realLinkAfter?.upMbps]),
    [
      ['host', 901],
      ['cable', 901],
      ['host/host', 902],
    ],
  );
});

test('what the link did after the run is kept, and a change is a warning', async () => {
  const same = await written(before, ['another warning']);
  assert.deepEqual(
    same.networks.map(({ realLinkAfter }) => realLinkAfter),
    [before, undefined],
  );
  assert.deepEqual(same.warnings, ['another warning']);
  const slow = { ...before, downMbps: 94 };
  assert.deepEqual((await written(slow)).warnings, [
    'the link between both machines changed during the run: 0.3 ms round trip, 900 Mbit/s down and 900 Mbit/s up over TCP before, 0.3 ms round trip, 94 Mbit/s down and 900 Mbit/s up over TCP after',
  ]);
  const lost = await written(new H2h3Error('process-failed', 'the connection to far was lost'));
  assert.equal(lost.networks[0]?.realLinkAfter, undefined);
  assert.deepEqual(lost.warnings, [
    'the link between both machines was not measured after the run: the connection to far was lost',
  ]);
});
