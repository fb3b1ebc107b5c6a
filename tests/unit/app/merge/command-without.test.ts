import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandWithout } from '../../../../src/app/merge/command-without.ts';

test('options go with their values, however they are written, and nothing else does', () => {
  const command = "h2h3 run web --shard 2/3 --out='my part' --seed 7 --host 'lab 1' --block '*out*'";
  assert.equal(commandWithout(command, ['shard', 'out', 'host']), "h2h3 run web --seed 7 --block '*out*'");
});

test('a value that looks like such an option stays', () => {
  assert.equal(commandWithout("h2h3 run --arm '--out x'", ['out']), "h2h3 run --arm '--out x'");
});
