import assert from 'node:assert/strict';
import { test } from 'node:test';
import { painter } from '../../../reports/terminal/terminal-text.ts';
import { plainText } from '../../../src/cli/plain-text.ts';

test('what would act on the terminal is shown instead', () => {
  const attacks = [
    '\u001b]0;title\u0007',
    '\u001b[2J',
    '\u001b[8mhidden',
    '\u009b2J',
    'a\rb',
    '\u202eabc',
    '\u0008',
  ];
  for (const attack of attacks)
    assert.doesNotMatch(
      plainText(`name ${attack}`),
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
      attack,
    );
  assert.equal(plainText('\u001b[2J'), '\\u001b[2J');
});

test('lines, tabs, letters of every script and the colours of our own reports stay', () => {
  const paint = painter(true);
  const own = (['better', 'worse', 'equivalent', 'mixed', 'inconclusive', 'bold'] as const).map((tone) =>
    paint('x', tone),
  );
  for (const text of ['a\n\tb', 'Größe 漢字 עברית', ...own]) assert.equal(plainText(text), text);
});

test('JSON that is printed reads back as it was', () => {
  const value = { name: 'a\u009bb\u202ec\u007f\u001b[2J' };
  assert.deepEqual(JSON.parse(plainText(JSON.stringify(value))), value);
});
