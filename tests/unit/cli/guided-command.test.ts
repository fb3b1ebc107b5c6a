import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCliHere } from '../../support/cli.ts';

/** Commands by their names, as help lists them, those below others included, each with how it is written. */
async function commandsOf(names: readonly string[] = []): Promise<{ names: string[]; usage: string }[]> {
  const { stdout } = await runCliHere([...names, '--help']);
  const usage = /^Usage: (.*)$/m.exec(stdout)?.[1] ?? '';
  const list = /^Commands:\n(?<lines>(?: .*\n)+)/m.exec(stdout)?.groups?.['lines'] ?? '';
  const below = [...list.matchAll(/^ {2}(?<name>[a-z][\w-]*)/gm)].map(({ groups }) => groups?.['name'] ?? '');
  const found = [{ names: [...names], usage }];
  for (const name of below.filter((each) => each !== 'help'))
    found.push(...(await commandsOf([...names, name])));
  return found;
}

test('every command that lacks a word says how it is written, what the word is, and where examples are', async () => {
  const needing = (await commandsOf()).filter(({ usage }) => usage.includes('<'));
  assert.ok(needing.length >= 15, `${needing.length} commands need a word`);
  for (const { names } of needing) {
    const { code, stderr } = await runCliHere(names);
    const name = `npx h2h3 ${names.join(' ')}`;
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^error: (?:missing required argument|required option)/);
    assert.ok(stderr.includes(`  next: ${name} `), stderr);
    assert.match(stderr, /^ {4}<[\w.]+>: \S+/m, stderr);
    assert.ok(stderr.includes(`\`${name} --help\``), stderr);
  }
});

test('words that no command knows, too many, and an option without its value are answered with the help to ask for', async () => {
  const cases = [
    [['gete'], /unknown command[^]*next: `npx h2h3 --help` lists the commands/],
    [['gate', '--frobnicate'], /unknown option[^]*next: `npx h2h3 gate --help` has its options/],
    [['doctor', 'well'], /too many arguments[^]*next: `npx h2h3 doctor --help`/],
    [['gate', '--baseline'], /argument missing[^]*next: `npx h2h3 gate --help`/],
  ] as const;
  for (const [words, answer] of cases) {
    const { code, stderr } = await runCliHere(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, answer);
  }
});

test('a wrong command line that says no next step itself names the help of its command', async () => {
  const { code, stderr } = await runCliHere([
    'run',
    'web',
    '--workers',
    'redis://lab:6379',
    '--shard',
    '1/2',
  ]);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /next: \S/);
  const spared = await runCliHere(['run', 'web', '--spare-blocks', '2']);
  assert.equal(spared.code, 2, spared.stderr);
  assert.match(
    spared.stderr,
    /go with --workers\n {2}next: `npx h2h3 run --help` has its options and examples/,
  );
});
