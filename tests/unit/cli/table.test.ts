import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable } from '../../../src/cli/table.ts';

const rows = [
  ['id', 'title'],
  ['page-landing', 'a landing page of several hosts with fonts'],
];

test('where there is room each row is one line', () => {
  assert.equal(
    formatTable(rows, Infinity),
    [
      'id            title',
      `${'─'.repeat(12)}  ${'─'.repeat(42)}`,
      'page-landing  a landing page of several hosts with fonts',
    ].join('\n'),
  );
});

test('on a narrow terminal the widest column is broken at words, and nothing is lost', () => {
  const lines = formatTable(rows, 40).split('\n');
  assert.ok(
    lines.every((line) => line.length <= 40),
    lines.join('\n'),
  );
  assert.deepEqual(lines.slice(2), [
    'page-landing  a landing page of several',
    '              hosts with fonts',
  ]);
});

test('the first column keeps its names whole, elsewhere a longer word is cut over several lines', () => {
  const lines = formatTable(
    [
      ['id', 'x'],
      ['a-long-identifier', 'abcdefghijklmnopqrstuvwxyz'],
    ],
    20,
  ).split('\n');
  const indent = ' '.repeat(19);
  assert.deepEqual(lines.slice(2), [
    'a-long-identifier  abcdefghij',
    `${indent}klmnopqrst`,
    `${indent}uvwxyz`,
  ]);
});
