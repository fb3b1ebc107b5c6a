import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli, runCliHere } from '../../../support/cli.ts';
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
  assert.deepEqual(offered(script, ['h2h3', 'completion', 'f']), ['fish']);
  assert.deepEqual(offered(script, ['h2h3', 'help', 'netw']), ['networks']);
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

const isHere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

test('zsh itself completes commands and options', async (t) => {
  if (!isHere('zsh')) return t.skip('there is no zsh');
  const script = join(tempFolder(t), 'h2h3.zsh');
  writeFileSync(script, (await runCliHere(['completion', 'zsh'])).stdout);
  // As bashcompinit calls it: arrays begin at 0.
  const call = `emulate sh -c 'COMP_WORDS=(h2h3 run web --repet); COMP_CWORD=3; _h2h3; echo "\${COMPREPLY[*]}"'`;
  const offers = runToEnd(['zsh', '-f', '-c', `. "$0"; ${call}`, script], '.');
  // It takes those that begin alike by itself.
  assert.match(offers, /^--workload .*--repetitions /);
});

test('fish itself completes commands and options', async (t) => {
  if (!isHere('fish')) return t.skip('there is no fish');
  const script = join(tempFolder(t), 'h2h3.fish');
  writeFileSync(script, (await runCliHere(['completion', 'fish'])).stdout);
  const asked = `source ${script}; complete -C 'h2h3 dia'; complete -C 'h2h3 run --repet'`;
  assert.match(runToEnd(['fish', '--no-config', '-c', asked], '.'), /^diagnose\t.*\n--repetitions\t/);
});

test('--install writes where the shell looks, and names it in .zshrc once', async (t) => {
  const home = tempFolder(t);
  const env = { HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: join(home, 'config') };
  writeFileSync(join(home, '.zshrc'), 'alias ll=ls');
  for (const shell of ['bash', 'fish', 'zsh', 'zsh'])
    assert.match((await runCli(['completion', shell, '--install'], env)).stdout, /^written: /);
  assert.match(
    readFileSync(join(home, 'data/bash-completion/completions/h2h3'), 'utf8'),
    /complete -o default/,
  );
  assert.match(readFileSync(join(home, 'config/fish/completions/h2h3.fish'), 'utf8'), /^complete -c h2h3/);
  const lines = readFileSync(join(home, '.zshrc'), 'utf8').trim().split('\n');
  assert.deepEqual(lines, ['alias ll=ls', `source "${join(home, 'data/h2h3/completion.zsh')}"`]);
});
