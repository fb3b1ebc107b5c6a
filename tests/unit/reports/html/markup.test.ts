import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, jsonForScript, markup, Markup } from '../../../../reports/html/markup.ts';

describe('markup', () => {
  test('escapes every insert that is not markup itself', () => {
    const text = markup`<p title="${'"><script>'}">${'<b>'}${markup`<i>${1}</i>`}${[null, false, 'a&b']}</p>`;
    assert.equal(text.text, '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;<i>1</i>a&amp;b</p>');
  });

  test('no text whatever leaves a character that could open or close markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(escapeHtml(text), /[<>"'\u0000]/);
      }),
    );
  });

  test('JSON for a script reads back and holds no <', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const json = jsonForScript({ value, text: `${text}</script><!--` }).text;
        assert.doesNotMatch(json, /[<>\u2028\u2029]/);
        assert.deepEqual(
          JSON.parse(json),
          JSON.parse(JSON.stringify({ value, text: `${text}</script><!--` })),
        );
      }),
    );
  });

  test('the indentation of a template is no part of the page, that of an insert is', () => {
    const text = markup`<a>
        ${new Markup('x\n    y')}
      </a>`;
    assert.equal(text.text, '<a>\nx\n    y\n</a>');
  });
});
