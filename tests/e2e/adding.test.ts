import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { projectDir, startProgram } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** One more of a kind: a file of its own, and its lines in the registry. */
interface Addition {
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly registry: string;
  /** What the registry imports, and the entry: both name it once. */
  readonly importLine: string;
  /** Where the entry goes: right behind the first occurrence of this text in the registry. */
  readonly behind: string;
  readonly entry: string;
  /** A script of package.json that must run afterwards, as CONTRIBUTING.md says. */
  readonly then?: string;
  /** A command that names it, and what it must print. */
  readonly command: readonly string[];
  readonly prints: RegExp;
}

const additions: readonly Addition[] = [
  {
    what: 'a server',
    file: 'harness/servers/added.ts',
    text: `import { caddy } from './caddy.ts';\nimport type { ServerSoftware } from './server-software.ts';\nexport const added: ServerSoftware = { ...caddy, id: 'added-server' };\n`,
    registry: 'harness/servers/registry.ts',
    importLine: `import { added } from './added.ts';`,
    behind: 'serverSoftware: readonly ServerSoftware[] = [',
    entry: 'added, ',
    command: ['plan', 'download', '--arms', 'h2+server=caddy,h2+server=added-server'],
    prints: /h2\+server=added-server/,
  },
  {
    what: 'a command-line client',
    file: 'harness/clients/commands/added.ts',
    text: `import type { CommandClient } from './command-client.ts';\nimport { curl } from './curl.ts';\nexport const added: CommandClient = { ...curl, id: 'added-client', programs: ['true'] };\n`,
    registry: 'harness/clients/commands/registry.ts',
    importLine: `import { added } from './added.ts';`,
    behind: 'commandClients: readonly CommandClient[] = [',
    entry: 'added, ',
    command: ['plan', 'download', '--client', 'added-client'],
    prints: /added-client/,
  },
  {
    what: 'a network',
    file: 'harness/network/added-networks.ts',
    text: `import type { NetworkSpec } from '../../src/model/network-spec.ts';\nimport { kakhkiNetworks } from './kakhki-networks.ts';\nexport const addedNetworks: NetworkSpec[] = kakhkiNetworks.slice(0, 1).map((one) => ({ ...one, id: 'added-network' }));\n`,
    registry: 'harness/network/registry.ts',
    importLine: `import { addedNetworks } from './added-networks.ts';`,
    behind: 'networkSpecs: readonly NetworkSpec[] = [',
    entry: '...addedNetworks, ',
    command: ['plan', 'download', '--network', 'added-network'],
    prints: /added-network/,
  },
  {
    what: 'a page metric',
    file: 'src/analyse/metrics/added-objects.ts',
    text: `import type { Metric } from './metric.ts';\nimport { objectCount } from './object-count.ts';\nexport const addedObjects: Metric = { ...objectCount, name: 'addedObjects', title: 'added objects' };\n`,
    registry: 'src/analyse/metrics/registry.ts',
    importLine: `import { addedObjects } from './added-objects.ts';`,
    behind: '  objectCount,\n',
    entry: '  addedObjects,\n',
    then: 'metrics',
    command: ['describe', 'metrics', '--json'],
    prints: /addedObjects/,
  },
  {
    what: 'an ABR rule',
    file: 'video/abr/added.ts',
    text: `import type { OwnAbrRule } from './abr-rule.ts';\nimport { rateBased } from './rate-based.ts';\nexport const added: OwnAbrRule = { ...rateBased, id: 'added' };\n`,
    registry: 'video/abr/registry.ts',
    importLine: `import { added } from './added.ts';`,
    behind: 'abrRules: readonly AbrRule[] = [\n',
    entry: '  added,\n',
    command: ['plan', '--workload', 'video-ci-2s-added'],
    prints: /video-ci-2s-added/,
  },
  {
    what: 'a probe',
    file: 'harness/probes/added.ts',
    text: `import type { Probe } from './probe.ts';\nexport const added: Probe = { id: 'added-probe', title: 'adds one counter', recorded: 'asked', setup: () => ({ teardown: () => ({ counters: { added: 1 } }) }) };\n`,
    registry: 'harness/probes/registry.ts',
    importLine: `import { added } from './added.ts';`,
    behind: 'probes: readonly Probe[] = [',
    entry: 'added, ',
    command: ['plan', 'download', '--probe', 'added-probe'],
    prints: /./,
  },
  {
    what: 'a section of the report',
    file: 'reports/html/sections/added.ts',
    text: `import { markup } from '../markup.ts';\nimport type { ReportSection } from './report-section.ts';\nexport const added: ReportSection = { layer: 'lab', render: () => markup\`<section id="added-section">added</section>\` };\n`,
    registry: 'reports/html/sections/registry.ts',
    importLine: `import { added } from './added.ts';`,
    behind: 'reportSections: readonly ReportSection[] = [\n',
    entry: '  added,\n',
    command: ['report', 'run'],
    prints: /./,
  },
];

describe('one more of a kind is one file and its entry in one registry', () => {
  let copy = '';
  const cleanups: (() => void)[] = [];
  before(() => {
    copy = join(tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) }), 'checkout');
    for (const part of [
      ...'src harness sites video reports docs tests/support package.json tsconfig.json'.split(' '),
    ])
      cpSync(join(projectDir, part), join(copy, part), { recursive: true });
    symlinkSync(join(projectDir, 'node_modules'), join(copy, 'node_modules'));
    cpSync(join(projectDir, 'tests/golden/runs/basic'), join(copy, 'run'), { recursive: true });
    for (const { file, text, registry, importLine, behind, entry } of additions) {
      writeFileSync(join(copy, file), text);
      const before = readFileSync(join(copy, registry), 'utf8');
      assert.ok(before.includes(behind), `${registry} has no ${behind}`);
      writeFileSync(join(copy, registry), `${importLine}\n${before.replace(behind, `${behind}${entry}`)}`);
    }
  });

  after(() => cleanups.forEach((cleanup) => cleanup()));

  for (const { what, command, prints, then } of additions)
    test(what, async () => {
      if (then !== undefined) {
        const { code, stderr } = await startProgram(['npm', 'run', '--silent', then], {}, { cwd: copy })
          .result;
        assert.equal(code, 0, stderr);
      }
      const program = [process.execPath, join(copy, 'src/cli/launcher.js'), ...command];
      const { code, stdout, stderr } = await startProgram(program, {}, { cwd: copy }).result;
      assert.equal(code, 0, stderr);
      assert.match(stdout, prints);
      if (command[0] === 'report')
        assert.match(readFileSync(join(copy, 'run/report.html'), 'utf8'), /id="added-section"/);
    });
});
