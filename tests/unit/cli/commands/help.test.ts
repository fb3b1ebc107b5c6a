import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCliHere } from '../../../support/cli.ts';

test('help names all commands and topics, and explains one of either', async () => {
  const { code, stdout } = await runCliHere(['help']);
  assert.equal(code, 0);
  for (const line of [/^ {2}gate .*/m, /^Topics:$/m, /^ {2}networks {2,}Networks/m])
    assert.match(stdout, line);
  const { stdout: command } = await runCliHere(['help', 'history', 'add']);
  assert.match(command, /^Usage: h2h3 history add/);
  const { stdout: topic } = await runCliHere(['help', 'networks']);
  assert.match(topic, /^# Networks[\s\S]*^Parts \(`h2h3 help networks WORD`\):\n {2}\S/m);
  assert.doesNotMatch(topic, /\]\(|\*\*/);
  assert.ok(topic.split('\n').length < 60, topic);
});

test('a part of a topic is found by a word of its heading; what there is not is answered with the nearest', async () => {
  const { code, stdout } = await runCliHere(['help', 'networks', 'COMMAND']);
  assert.equal(code, 0);
  assert.match(stdout, /^## .*command/i);
  const mistyped = await runCliHere(['help', 'netwroks']);
  assert.equal(mistyped.code, 2);
  assert.match(mistyped.stderr, /npx h2h3 help networks/);
  assert.equal((await runCliHere(['help', 'networks', 'xyzzy'])).code, 2);
});
