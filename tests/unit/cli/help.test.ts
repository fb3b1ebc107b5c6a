import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchParts } from '../../../harness/bench/bench-harness.ts';
import { optionalPackages } from '../../../harness/tools/system-setup.ts';
import { describeSubjects } from '../../../src/app/describe/describe.ts';
import { runCliHere } from '../../support/cli.ts';
import { importsOf } from '../../support/source-graph.ts';

/** Modules and packages that are loaded before any command acts. */
function loadedAtStart(): { readonly modules: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const waiting = ['src/cli/main.ts'];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (modules.has(file)) continue;
    modules.add(file);
    for (const { to, relative, typeOnly, dynamic } of importsOf(file)) {
      if (typeOnly || dynamic) continue;
      if (relative) waiting.push(to);
      else if (!to.startsWith('node:')) packages.add(to);
    }
  }
  return { modules, packages };
}

test('what prints help loads neither the use cases nor what measures, and one package', () => {
  const { modules, packages } = loadedAtStart();
  assert.deepEqual([...packages], ['commander']);
  const measuring = [...modules].filter((file) =>
    /^(?:harness|sites|video|src\/(?:plan|metrics|analyse|store|factors))\//.test(file),
  );
  assert.deepEqual(measuring, []);
  const app = [...modules].filter((file) => /^src\/app\//.test(file));
  assert.deepEqual(app.toSorted(), [
    'src/app/duration.ts',
    'src/app/given-path.ts',
    'src/app/one-of.ts',
    'src/app/version.ts',
    'src/app/whole-number.ts',
    'src/app/words.ts',
  ]);
});

test('help names everything that an option or an argument can name', async () => {
  for (const [command, names] of [
    ['describe', describeSubjects],
    ['bench-harness', benchParts],
    ['setup', Object.keys(optionalPackages)],
  ] as const) {
    const { code, stdout } = await runCliHere([command, '--help']);
    assert.equal(code, 0);
    for (const name of names) assert.match(stdout, new RegExp(`\\b${name}\\b`), `${command} --help: ${name}`);
  }
});
