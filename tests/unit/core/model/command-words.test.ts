import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandWords, wordsWithout } from '../../../../src/core/model/command-words.ts';

test('a command line is parted where a shell parts it, quotes kept', () => {
  assert.deepEqual(commandWords("h2h3 run --device 'Pixel 5' --header='a: b'\\''c'"), [
    'h2h3',
    'run',
    '--device',
    "'Pixel 5'",
    "--header='a: b'\\''c'",
  ]);
});

test('options go with their values, limits of metrics stay and times go', () => {
  const command =
    "h2h3 run web --out 'my runs' --budget 'lcp<2.5s' --budget 3m --budget=limits.yaml --strict --budget=20m";
  assert.equal(
    wordsWithout(command, ['--out', '--budget']).join(' '),
    "h2h3 run web --budget 'lcp<2.5s' --budget=limits.yaml --strict",
  );
});

test('options are found however they are written, and a value that looks like one stays', () => {
  const command = "h2h3 run web --shard 2/3 --out='my part' --seed 7 --host 'lab 1' --block '*out*'";
  assert.equal(
    wordsWithout(command, ['--shard', '--out', '--host']).join(' '),
    "h2h3 run web --seed 7 --block '*out*'",
  );
  assert.equal(wordsWithout("h2h3 run --arm '--out x'", ['--out']).join(' '), "h2h3 run --arm '--out x'");
});
