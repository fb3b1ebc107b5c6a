import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cacheOf, carriedOutIn, checkoutWith, runIn, type Addition } from '../support/checkout-copy.ts';
import { readRecords } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Kind extends Addition {
  readonly what: string;
  /** A command that names it, its exit code, and what it must print. */
  readonly command: readonly string[];
  readonly code?: number;
  readonly prints: RegExp;
}

const kinds: readonly Kind[] = [
  {
    what: 'a server',
    from: 'server.ts',
    to: 'harness/servers/added.ts',
    registry: 'harness/servers/registry.ts',
    after: 'serverSoftware: readonly ServerSoftware[] = [',
    command: ['plan', 'download', '--arms', 'h2+server=caddy,h2+server=added-server'],
    prints: /h2\+server=added-server/,
  },
  {
    what: 'a proxy',
    from: 'proxy.ts',
    to: 'harness/proxies/added.ts',
    registry: 'harness/proxies/registry.ts',
    after: 'proxySoftware: readonly ServerSoftware[] = [',
    command: ['describe', 'proxies', '--json'],
    prints: /added-proxy/,
  },
  {
    what: 'a command-line client',
    from: 'client.ts',
    to: 'harness/clients/commands/added.ts',
    registry: 'harness/clients/commands/registry.ts',
    after: 'commandClients: readonly CommandClient[] = [',
    command: ['describe', 'clients', '--json'],
    prints: /added-client/,
  },
  {
    what: 'a network',
    from: 'network.ts',
    to: 'harness/network/added-networks.ts',
    registry: 'harness/network/registry.ts',
    after: 'networkSpecs: readonly NetworkSpec[] = [',
    entry: '...added',
    command: ['describe', 'networks', '--json'],
    prints: /added-network/,
  },
  {
    what: 'a probe',
    from: 'probe.ts',
    to: 'harness/probes/added.ts',
    registry: 'harness/probes/registry.ts',
    after: 'probes: readonly Probe[] = [',
    command: ['describe', 'probes', '--json'],
    prints: /added-probe/,
  },
  {
    what: 'a factor',
    from: 'factor.ts',
    to: 'src/core/factors/jitter.ts',
    registry: 'src/core/factors/registry.ts',
    after: 'const registered = [\n',
    command: ['describe', 'factors', '--json'],
    prints: /"id": ?"jitter"/,
  },
  {
    what: 'a metric',
    from: 'metric.ts',
    to: 'src/core/metrics/added-hosts.ts',
    registry: 'src/core/metrics/registry.ts',
    after: 'freeze([\n',
    entry: '...added',
    command: ['describe', 'metrics', '--json'],
    prints: /addedHosts/,
  },
  {
    what: 'a check of plans',
    from: 'check.ts',
    to: 'src/app/preflight/added.ts',
    registry: 'src/app/preflight/checks.ts',
    after: 'checks: readonly Check[] = [\n',
    command: ['plan', 'download', '--network', 'dsl', '--arms', 'h2+mtu=1300,h3+mtu=1300'],
    code: 2,
    prints: /no path of this laboratory has an MTU of 1300/,
  },
  {
    what: 'an ABR rule',
    from: 'abr-rule.ts',
    to: 'video/abr/added.ts',
    registry: 'video/abr/registry.ts',
    after: 'abrRules: readonly AbrRule[] = [\n',
    command: ['plan', '--workload', 'video-ci-2s-added'],
    prints: /video-ci-2s-added/,
  },
  {
    what: 'a ladder',
    from: 'ladder.ts',
    to: 'video/ladders/added.ts',
    registry: 'video/ladders/registry.ts',
    after: 'registered: readonly Ladder[] = [',
    command: ['plan', '--workload', 'video-added-2s-bba'],
    prints: /video-added-2s-bba/,
  },
  {
    what: 'a site',
    from: 'site.ts',
    to: 'sites/pages/added.ts',
    registry: 'sites/pages/catalogue.ts',
    after: 'pageSources: readonly PageSource[] = [\n',
    command: ['plan', '--workload', 'page-added-page'],
    prints: /page-added-page/,
  },
  {
    what: 'a study',
    from: 'study.yaml',
    to: 'src/app/presets/added2026-bodies.yaml',
    registry: 'src/app/presets/registry.ts',
    after: 'presetIds: readonly string[] = [\n',
    entry: "'added2026-bodies'",
    command: ['studies', '--only', 'A1'],
    prints: /A1.*added2026-bodies.*Added et al\. 2026/,
  },
  {
    what: 'a section of the report',
    from: 'section.ts',
    to: 'reports/html/sections/added.ts',
    registry: 'reports/html/sections/registry.ts',
    after: 'reportSections: readonly ReportSection[] = [\n',
    command: ['report', 'run'],
    prints: /./,
  },
];

describe('one more of a kind is one file and its entry in one registry', () => {
  let copy = '';
  let ended: Awaited<ReturnType<typeof carriedOutIn>> = [];
  const cleanups: (() => void)[] = [];
  before(async () => {
    copy = checkoutWith({ after: (cleanup) => cleanups.push(cleanup as () => void) }, kinds);
    const commands = kinds.map(({ command }) => command);
    ended = await carriedOutIn(copy, commands);
  });
  after(() => cleanups.forEach((cleanup) => cleanup()));

  for (const [index, { what, code: expected = 0, prints }] of kinds.entries())
    test(what, () => {
      const { code, stdout = '', stderr = '' } = ended[index] ?? {};
      assert.equal(code, expected, stderr);
      assert.match(expected === 0 ? stdout : stderr, prints);
      if (what !== 'a section of the report') return;
      const report = readFileSync(join(copy, 'run/report.html'), 'utf8');
      assert.match(report, /href="#added-section">Added[^]*id="added-section"><p>\d+ trials were ok/);
    });

  test('the added client loads from the added server, also over the added proxy, and their logs prove it', async (t) => {
    const folder = tempFolder(t);
    const program = join(folder, 'added-client');
    const client = join(copy, 'harness/clients/commands/added.ts');
    writeFileSync(
      program,
      `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${client}' "$@"\n`,
    );
    chmodSync(program, 0o755);
    const out = join(folder, 'run');
    const arms = [
      'h2',
      'h2+server=added-server',
      'h2+proxy=added-proxy',
      'h2+proxy=added-proxy+server=added-server',
    ];
    const words = ['run', '--workload', 'download-1mb', '--client', 'added-client', '--network', 'loopback'];
    const asked = [
      '--arms',
      arms.join(),
      '--probe',
      'added-probe',
      '--repetitions',
      '1',
      '--exploratory',
      '--quick-start',
    ];
    const { code, stderr } = await runIn(copy, ['src/cli/launcher.js', ...words, ...asked, '--out', out], {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      ...cacheOf(),
    });
    assert.equal(code, 0, stderr);
    const records = readRecords(out).filter(({ instrumentation }) => instrumentation === 'uninstrumented');
    assert.deepEqual(
      records.map(({ arm, status, reason }) => [arm, status, reason]).toSorted(),
      arms.map((arm) => [arm, 'ok', undefined]).toSorted(),
    );
    for (const { metrics, trialId } of records) {
      assert.deepEqual(metrics.protocolShare, { h2: 1 }, trialId);
      assert.ok((metrics['throughputMbps'] ?? 0) > 0, trialId);
    }
  });

  test('a link factor is planned, refused by its form, told the emulator, and passes every test of factors', async (t) => {
    const lacking = await namespaceLack();
    if (lacking !== null) return t.skip(lacking);
    const plan = ['plan', 'download', '--network', 'dsl', '--budget', '1h'];
    const [planned, wrong] = await carriedOutIn(copy, [
      [...plan, '--arm', 'h3', '--arm', 'h3+jitter=2ms'],
      [...plan, '--arm', 'h3+jitter=lots'],
    ]);
    assert.equal(planned?.code, 0, planned?.stderr);
    assert.match(planned.stdout, /jitter=2ms/);
    assert.equal(wrong?.code, 2, wrong?.stderr);
    assert.match(wrong.stderr, /invalid value "lots" of jitter: a time/);
    writeFileSync(join(copy, 'shaped.ts'), shaped);
    const told = await runIn(copy, ['shaped.ts']);
    assert.equal(told.stdout.match(/jitter=2000000/g)?.length, 2, told.stderr);
    const tests = await runIn(copy, ['--test', 'tests/factors.test.ts']);
    assert.equal(tests.code, 0, tests.stdout);
  });
});

/** The network under the factor, as its emulator is told it. */
const shaped = `import { networkSpecs } from './harness/network/registry.ts';
import { directionSettings } from './harness/network/emulator-settings.ts';
import { withLinkFactors } from './src/core/factors/link-factors.ts';
import { valuesFor } from './src/core/factors/values.ts';
const dsl = networkSpecs.find(({ id }) => id === 'dsl');
const { up, down } = withLinkFactors(dsl, valuesFor(['link'], { jitter: '2ms' }));
for (const direction of [up, down]) console.log(directionSettings(direction, null, ''));
`;

describe('half an addition is told', () => {
  const half: Addition = {
    from: 'half-factor.ts',
    to: 'src/core/factors/half.ts',
    registry: 'src/core/factors/registry.ts',
    after: 'const registered = [\n',
  };

  test('a factor that nobody applies, and of which nothing is read back', async (t) => {
    const tests = await runIn(checkoutWith(t, [half]), ['--test', 'tests/factors.test.ts']);
    assert.equal(tests.code, 1);
    assert.match(tests.stdout, /no server applies half/);
    assert.match(tests.stdout, /half: no testbed\.server\.half in the evidence/);
  });

  test('a link factor that changes no figure, and that nothing sets at the ends', async (t) => {
    const ofLinks = { ...half, edit: (text: string) => text.replace("['sender']", "['link']") };
    const tests = await runIn(checkoutWith(t, [ofLinks]), ['--test', 'tests/factors.test.ts']);
    assert.match(tests.stdout, /no network applies half/);
  });

  test('files without their lines in the registries', async (t) => {
    const files = kinds.map(({ from, to }) => ({ from, to }));
    const copy = checkoutWith(t, files);
    const tests = await runIn(copy, ['--test', 'tests/architecture.test.ts']);
    assert.equal(tests.code, 1);
    const missed = kinds.filter(({ what, to }) => !tests.stdout.includes(to) && what !== 'a study');
    assert.deepEqual(
      missed.map(({ what }) => what),
      // The proxy imports it.
      ['a server'],
    );
    assert.match(tests.stdout, /added2026-bodies/);
  });
});
