import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addFormerOption } from '../../../src/cli/former-option.ts';

test('the name of before is read, with one line that names the new one, and no help shows it', () => {
  const lines: string[] = [];
  const progress = { say: (line: string) => lines.push(line) };
  const commandOf = (): Command => {
    const command = new Command().option('--interims <list>').option('--recording');
    addFormerOption(command, '--looks <list>', 'interims', progress);
    return addFormerOption(command, '--watching', 'recording', progress);
  };
  const flagsOf = (...words: string[]): unknown => {
    const options = commandOf()
      .parse(words, { from: 'user' })
      .opts<{ interims?: string; recording?: boolean }>();
    return { interims: options.interims, recording: options.recording };
  };
  assert.doesNotMatch(commandOf().helpInformation(), /--looks|--watching/);
  assert.deepEqual(flagsOf('--interims', '6,8', '--recording'), { interims: '6,8', recording: true });
  assert.deepEqual(lines, []);
  assert.deepEqual(flagsOf('--looks', '6,8', '--watching'), { interims: '6,8', recording: true });
  assert.deepEqual(lines, [
    'h2h3: --looks is now --interims. The old name is still read.',
    'h2h3: --watching is now --recording. The old name is still read.',
  ]);
});
