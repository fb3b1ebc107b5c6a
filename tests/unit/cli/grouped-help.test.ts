import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCliHere } from '../../support/cli.ts';

/** What help prints, by its lines. */
async function helpLines(...words: readonly string[]): Promise<string[]> {
  const { code, stdout } = await runCliHere([...words]);
  assert.equal(code, 0, words.join(' '));
  return stdout.trimEnd().split('\n');
}

const optionsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^ {2}(?:-h, )?(--[\w-]+)/.exec(line)?.slice(1) ?? []);

test('the help of a run is some twenty lines: examples, and its groups by name', async () => {
  const lines = await helpLines('run', '--help');
  assert.ok(lines.length <= 22, `${lines.length} lines`);
  assert.ok(lines.every((line) => line.length <= 100));
  const groups = ['load', 'compare', 'where', 'long', 'live', 'recorded', 'advanced', 'result', 'machines'];
  for (const group of groups)
    assert.ok(
      lines.some((line) => line.startsWith(`  ${group} `)),
      group,
    );
  assert.equal(lines.filter((line) => line.startsWith('  npx h2h3 run')).length, 6);
});

test('each group explains its own options with examples, and all of them together are the whole help', async () => {
  const overview = await helpLines('run', '--help');
  const groups = overview.flatMap((line) => /^ {2}([a-z]+) {2,}[A-Z]/.exec(line)?.slice(1) ?? []);
  const parts = await Promise.all(groups.map((group) => helpLines('run', '--help', group)));
  parts.forEach((lines, index) => {
    assert.ok(optionsIn(lines).length > 0, groups[index]);
    assert.ok(
      lines.some((line) => line.startsWith('  npx h2h3 ')),
      groups[index],
    );
  });
  const whole = optionsIn(await helpLines('run', '--help', '--all'));
  assert.deepEqual([...parts.flatMap(optionsIn), '--help'].toSorted(), whole.toSorted());
  assert.ok(whole.length > 40);
});

test('a plan has the groups that it shares with a run', async () => {
  const lines = await helpLines('plan', '--help', 'live');
  assert.deepEqual(optionsIn(lines).slice(0, 2), ['--ca', '--insecure']);
});

test('lines of the whole help are broken to the width of a terminal', async () => {
  const lines = await helpLines('run', '--help', '--all');
  assert.ok(
    lines.filter((line) => line.length > 100).every((line) => line.includes('npx h2h3')),
    lines.find((line) => line.length > 100),
  );
});
