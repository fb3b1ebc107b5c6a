import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import {
  formerInterimsOption,
  interimsOf,
  parseInterims,
  type InterimFlags,
} from '../../../src/cli/parse-interims.ts';

test('interims are ascending numbers of blocks from four on', () => {
  assert.deepEqual(parseInterims('12,16,20'), [12, 16, 20]);
  for (const text of ['', '3', '12,12', '16,12', '12,x', '12.5'])
    assert.throws(() => parseInterims(text), /ascending/);
});

test('the name of before is read, with one line that names the new one, and no help shows it', () => {
  const lines: string[] = [];
  const progress = { say: (line: string) => lines.push(line) };
  const command = new Command().option('--interims <list>').addOption(formerInterimsOption());
  const flagsOf = (...words: string[]): InterimFlags => command.parse(words, { from: 'user' }).opts();
  assert.doesNotMatch(command.helpInformation(), /--looks/);
  assert.equal(interimsOf({}, progress), undefined);
  assert.deepEqual(lines, []);
  assert.deepEqual(interimsOf(flagsOf('--looks', '6,8'), progress), [6, 8]);
  assert.deepEqual(lines, ['h2h3: --looks is now --interims. The old name is still read.']);
});
