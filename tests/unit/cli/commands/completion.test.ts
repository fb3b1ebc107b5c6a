import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCliHere } from '../../../support/cli.ts';
import { runToEnd } from '../../../support/packed.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What bash offers for the last of these words. */
function offered(script: string, words: readonly string[]): string[] {
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
  const said = runToEnd(['bash', '-c', `. "$0"; ${line}; _h2h3; echo "\${COMPREPLY[*]}"`, script], '.');
  return said.trim().split(' ').filter(Boolean);
}

test('bash completes commands, commands below them, and options of each', async (t) => {
  const { code, stdout } = await runCliHere(['completion', 'bash']);
  assert.equal(code, 0);
  const script = join(tempFolder(t), 'h2h3.bash');
  writeFileSync(script, stdout);
  assert.deepEqual(offered(script, ['h2h3', 'dia']), ['diagnose']);
  assert.deepEqual(offered(script, ['h2h3', 'history', 'ad']), ['add']);
  assert.deepEqual(offered(script, ['h2h3', 'history', 'query', '--m']), ['--metric']);
  assert.deepEqual(offered(script, ['h2h3', 'run', 'web', '--repet']), ['--repetitions']);
  assert.ok(!offered(script, ['h2h3', '']).includes('serve-call'), 'what is not for people is not offered');
});

test('zsh takes the same, fish gets each option with its words, another shell is refused by name', async () => {
  assert.match((await runCliHere(['completion', 'zsh'])).stdout, /bashcompinit\n_h2h3\(\)/);
  const { stdout } = await runCliHere(['completion', 'fish']);
  assert.match(stdout, /^complete -c h2h3 -n '__fish_use_subcommand' -a run -d 'measure/m);
  assert.match(stdout, /^complete -c h2h3 -n '__fish_seen_subcommand_from run' -l resume -r -d /m);
  const { code, stderr } = await runCliHere(['completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(stderr, /Allowed choices are bash, zsh, fish/);
});
