import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesFrom } from '../../../../src/core/model/names.ts';
import { csvField } from '../../../../reports/csv/csv-text.ts';
import { chatText } from '../../../../reports/format/chat-text.ts';
import { attribute } from '../../../../reports/junit/xml-text.ts';
import { escapeHtml } from '../../../../reports/html/markup.ts';
import { code, plain } from '../../../../reports/markdown/markdown-text.ts';
import { plainText } from '../../../../src/cli/plain-text.ts';

const nameOf = (text: string): string =>
  namesFrom({ workloads: { id: text }, clients: {}, networks: {}, servers: {} }).workload('id', 'page');
const writers = { plain, code, chatText, attribute, csvField, plainText, nameOf, escapeHtml };
const attacks = [
  '\u001b]0;title\u0007',
  '\u001b]8;;https://evil.test\u001b\\link\u001b]8;;\u001b\\',
  '\u009b2J',
  'a\u0085b',
  '\u2028line',
  '\u202eabc\u202c',
  '\u2066abc\u2069',
  '\u061c',
  '\u{e0041}\u{e007f}',
  'a\rb',
];

test('names of others steer no terminal and turn no text, whatever file they stand in', () => {
  for (const [name, write] of Object.entries(writers))
    for (const attack of attacks)
      assert.doesNotMatch(
        write(`name ${attack} end`),
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u,
        `${name}: ${JSON.stringify(attack)}`,
      );
});

test('letters of every script stay as they are', () => {
  const text = 'Größe 漢字 עברית عربي 👩‍💻 −5 % …';
  for (const [name, write] of Object.entries(writers))
    assert.ok(write(text).includes('Größe 漢字 עברית عربي 👩‍💻 −5 % …'), name);
});

test('a name has no markup in Markdown, calls nobody, and brings no character by its number', () => {
  const attacked = plain('<img src=x> [a](b) &#64;octocat &lt;b&gt; @octocat a|b `c`\n# head');
  assert.equal(
    attacked,
    '\\<img src=x\\> \\[a\\](b) \\&\\#64;octocat \\&lt;b\\&gt; @\u200boctocat a\\|b \\`c\\` \\# head',
  );
  assert.equal(code('a\n``b'), '``` a ``b ```');
});

test('names have no lines of their own', () => {
  const names = namesFrom({
    workloads: { a: 'shop\nGate passed.' },
    clients: {},
    networks: { n: 'x\r\ny' },
    servers: {},
  });
  assert.equal(names.workload('a', 'page'), 'shop Gate passed.');
  assert.equal(names.network('n'), 'x y');
  assert.equal(names.client('c\nd'), 'c d');
});
