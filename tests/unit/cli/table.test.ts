import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSentence, formatTable, leadingColumns, widthOf } from '../../../src/cli/table.ts';

const rows = [
  ['id', 'title'],
  ['page-landing', 'a landing page of several hosts with fonts'],
];

test('in a file or a pipe each row is one line, and a tab stands between its cells', () => {
  assert.equal(
    formatTable(rows, null),
    'id\ttitle\npage-landing\ta landing page of several hosts with fonts',
  );
  assert.equal(
    formatTable(
      [
        ['id', 'x'],
        ['a', 'two\nlines\tof it'],
      ],
      null,
    ),
    'id\tx\na\ttwo lines of it',
  );
});

test('where there is room each row of a terminal is one line', () => {
  assert.equal(
    formatTable(rows, 80),
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

test('where columns would be too narrow to read, each row is a list that fits, and empty cells are left out', () => {
  const wide = [
    ['item', 'state', 'found', 'what lacking it costs', 'fix with'],
    ['Caddy', 'ok', '/usr/bin/caddy', '', ''],
    [
      '/dev/net/tun',
      'missing',
      '',
      'only the unshaped loopback can be measured',
      'sudo modprobe tun, or more words',
    ],
  ];
  const text = formatTable(wide, 60);
  assert.deepEqual(text.split('\n'), [
    'Caddy',
    '  state: ok',
    '  found: /usr/bin/caddy',
    '/dev/net/tun',
    '  state: missing',
    '  what lacking it costs: only the unshaped loopback can be',
    '  measured',
    '  fix with: sudo modprobe tun, or more words',
  ]);
});

test('of a long list a terminal shows as many columns as can be read, two at the least', () => {
  const wide = [
    ['id', 'title', 'objects', 'source'],
    ['page-agency', 'Start Bootstrap Agency', '31', 'npm startbootstrap-agency and four more'],
  ];
  assert.deepEqual(leadingColumns(wide, null), wide);
  assert.deepEqual(leadingColumns(wide, 60), wide);
  assert.deepEqual(leadingColumns(wide, 45)[0], ['id', 'title', 'objects']);
  assert.deepEqual(leadingColumns(wide, 12)[0], ['id', 'title']);
  const lines = formatTable(leadingColumns(wide, 60), 60).split('\n');
  assert.ok(
    lines.every((line) => line.length <= 60),
    lines.join('\n'),
  );
});

test('a terminal is as wide as it says, a file or pipe as COLUMNS says', () => {
  assert.equal(widthOf({ isTTY: true, columns: 60 }, { COLUMNS: '200' }), 60);
  assert.equal(widthOf({ isTTY: false, columns: 60 }, { COLUMNS: '72' }), 72);
  assert.equal(widthOf({ isTTY: false, columns: 60 }, {}), null);
  assert.equal(widthOf({ isTTY: false, columns: 60 }, { COLUMNS: 'wide' }), null);
  assert.equal(widthOf({ isTTY: true, columns: 0 }, {}), 80, 'a terminal that does not tell its width');
  assert.equal(widthOf({ isTTY: true, columns: 0 }, { COLUMNS: '72' }), 72);
});

test('a sentence is broken at words on a terminal and left whole in a file', () => {
  const sentence = 'judged after 9, 11, 13 blocks; it stops when all is decided';
  assert.equal(formatSentence(sentence, null), sentence);
  const lines = formatSentence(sentence, 30).split('\n');
  assert.ok(lines.length > 1 && lines.every((line) => line.length <= 30));
  assert.equal(lines.join(' '), sentence);
  assert.equal(formatSentence('ab', 0), 'a\nb', 'no width is none to fail on');
});
