import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFarSystem } from '../../../../harness/hosts/far-program.ts';
import { programFiles } from '../../../../harness/hosts/program-files.ts';
import { importsOf, sourcesIn } from '../../../support/source-graph.ts';

test('what a far shell says is read line by line, whatever else it greets with', () => {
  const text = 'Welcome!\nsystem Linux x86_64\nnode v24.21.0\nprogram\nlacks sha256sum\nlacks $(reboot)\n';
  assert.deepEqual(parseFarSystem(text), {
    system: 'Linux x86_64',
    node: '24.21.0',
    hasProgram: true,
    hasNode: false,
    lacks: ['sha256sum'],
  });
  const nothing = { system: 'unknown', node: null, hasProgram: false, hasNode: false, lacks: [] };
  assert.deepEqual(parseFarSystem('node \nsystem \u001b[2J\n'), nothing);
  assert.equal(parseFarSystem('node v24.21.0; reboot').node, null);
});

test('what is sent holds everything that the agent and the programs that it starts import, and is the same each time', () => {
  const files = programFiles();
  assert.equal(programFiles().digest, files.digest);
  const sent = new Set(files.paths);
  assert.ok(sent.has(files.agent), files.agent);
  const imports = sourcesIn(['src/core', 'harness', 'sites', 'video']).flatMap((file) => importsOf(file));
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    imports
      .filter((item) => item.from === file && !item.typeOnly && !item.to.startsWith('node:'))
      .forEach(({ to, relative }) => {
        if (relative) reach(to);
        else reached.add(`node_modules/${to.split('/', to.startsWith('@') ? 2 : 1).join('/')}/package.json`);
      });
  };
  // Peers that a user may install, and whose probes and journeys stay on this machine.
  const left = ['lighthouse', 'playwright'].map((name) => `node_modules/${name}/package.json`);
  const origins = [
    'sites/replay/serve-archive.ts',
    'sites/uploads/serve-sink.ts',
    'sites/app/serve-app.ts',
    'video/broadcast/serve-broadcast.ts',
    'video/serve-held.ts',
    'harness/testbed/resolver-program.ts',
  ];
  for (const program of [files.agent, ...origins]) reach(program);
  assert.ok(reached.size > 50, `${reached.size} modules`);
  assert.deepEqual(
    [...reached].filter((file) => !sent.has(file) && !left.includes(file)),
    [],
  );
});
