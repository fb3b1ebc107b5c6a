import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCliHere } from '../../support/cli.ts';

test('an address as a command, or in the place of a preset, is answered with the command that measures it', async () => {
  for (const words of [['https://shop.example/a?b=1'], ['run', 'https://shop.example/a?b=1']]) {
    const { code, stderr } = await runCliHere(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /https:\/\/shop\.example\/a\?b=1 is an address, and/);
    assert.match(stderr, /next: npx h2h3 run --url 'https:\/\/shop\.example\/a\?b=1'/);
  }
});
