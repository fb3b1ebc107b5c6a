import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { environmentSchema } from '../../src/core/model/environment.ts';
import { projectDir, readRecords, readRunFile, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface StandIn {
  readonly client: string;
  readonly name: string;
  readonly version: string;
  /** What the browser's own name for itself ends with. */
  readonly brand: string;
}

/** Browsers of the Chromium family that no package of this system has, by the program that their packages install. */
const standIns: Readonly<Record<string, StandIn>> = {
  'microsoft-edge-stable': {
    client: 'edge',
    name: 'Microsoft Edge',
    version: '150.0.3001.7',
    brand: 'Edg/150.0.3001.7',
  },
  'microsoft-edge-beta': {
    client: 'edge@beta',
    name: 'Microsoft Edge Beta',
    version: '151.0.3050.2',
    brand: 'Edg/151.0.3050.2',
  },
  opera: { client: 'opera', name: 'Opera', version: '134.0.5900.11', brand: 'OPR/134.0.5900.11' },
};

test('Edge, its channels and Opera are found, forced, proven and reported like any browser of the family', async (t) => {
  const folder = tempFolder(t);
  const setup = await createSetupContext({ projectDir });
  // A full browser says its version when asked, as those do that it stands in for.
  const { executablePath, environment } = await resolveClient('best', setup);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [program, { name, version, brand }] of Object.entries(standIns)) {
    const file = join(bin, program);
    const agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 ${brand}`;
    const exported = Object.entries(environment).map(([key, value]) => `export ${key}='${value}'`);
    const lines = [
      '#!/bin/sh',
      `if [ "$1" = --version ]; then echo '${name} ${version}'; exit; fi`,
      `echo "$@" >> '${join(folder, program)}'`,
      ...exported,
      `exec '${executablePath}' "$@" '--user-agent=${agent}'`,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    chmodSync(file, 0o755);
  }
  const path = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const described = await runCli(['describe', 'clients', '--json'], path);
  for (const { client, version } of Object.values(standIns).filter(({ client: id }) => !id.includes('@')))
    assert.match(described.stdout, new RegExp(`"${client}"[^}]*${version.replaceAll('.', '\\.')}`, 's'));

  const out = join(folder, 'run');
  const clients = Object.values(standIns).map(({ client }) => client);
  const { code, stderr } = await runCli(
    [
      'run',
      '--workload',
      'download-1mb',
      '--client',
      clients.join(),
      '--repetitions',
      '1',
      '--recorded',
      '0',
      '--exploratory',
      '--quick-start',
      '--out',
      out,
    ],
    path,
  );
  const records = readRecords(out);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records.map(({ reason }) => reason))}`);
  assert.deepEqual(
    records.map(({ client, arm, status }) => [client, arm, status]).toSorted(),
    clients
      .flatMap((client) => [
        [client, 'h2', 'ok'],
        [client, 'h3', 'ok'],
      ])
      .toSorted(),
  );
  const text = readRunFile(out, 'environment.json');
  const known = environmentSchema.parse(JSON.parse(text)).clients;
  for (const [program, { client, name, version }] of Object.entries(standIns)) {
    const found = known.find(({ id }) => id === client);
    assert.deepEqual(
      [found?.name, found?.version, found?.executablePath],
      [name, version, join(bin, program)],
    );
    const switches = readFileSync(join(folder, program), 'utf8');
    assert.match(switches, /--disable-quic /);
    assert.match(switches, /--origin-to-force-quic-on=/);
  }
  const report = readRunFile(out, 'report.html');
  for (const { name, version } of Object.values(standIns)) {
    assert.ok(report.includes(name), name);
    assert.ok(report.includes(version), version);
  }
});
