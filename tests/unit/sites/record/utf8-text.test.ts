import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerOf } from '../../../../sites/archive/headers.ts';
import { utf8Text } from '../../../../sites/record/utf8-text.ts';
import { answersOf, harEntry, importedHar } from '../../../support/imported-file.ts';

test('texts of a HAR say in which charset their bytes are, in header and text', async (t) => {
  const page = (head: string): string =>
    `<!doctype html><html><head>${head}<title>Привет мир</title></head></html>`;
  const { archive } = await importedHar(t, [
    harEntry({
      url: 'https://cyr.test/',
      type: 'text/html; charset=windows-1251',
      body: page('<meta charset="windows-1251">'),
    }),
    harEntry({
      url: 'https://cyr.test/a.js',
      type: 'text/javascript; charset=shift_jis',
      body: 'x="日本語"',
    }),
    harEntry({
      url: 'https://cyr.test/a.css',
      type: 'text/css',
      body: '@charset "koi8-r";a::before{content:"я"}',
    }),
    harEntry({ url: 'https://cyr.test/latin', type: 'text/html', body: '<title>Café €</title>' }),
    harEntry({
      url: 'https://cyr.test/latin1',
      type: 'text/html; charset="ISO-8859-1"; x=1',
      body: '<title>Café</title>',
    }),
  ]);
  assert.deepEqual(answersOf(archive), {
    '/': [200, 'text/html; charset=utf-8', page('<meta charset="utf-8">')],
    '/a.js': [200, 'text/javascript; charset=utf-8', 'x="日本語"'],
    '/a.css': [200, 'text/css; charset=utf-8', '@charset "utf-8";a::before{content:"я"}'],
    '/latin': [200, 'text/html; charset=utf-8', '<title>Café €</title>'],
    '/latin1': [200, 'text/html; charset=utf-8; x=1', '<title>Café</title>'],
  });
});

/** What becomes of a text and its type. */
function told(text: string, type: string, mimeType = ''): [type: string | undefined, text: string] {
  const { body, headers } = utf8Text(text, type === '' ? [] : [['Content-Type', type]], mimeType);
  return [headerOf(headers, 'content-type'), body.toString()];
}

test('every place where a page names another charset names UTF-8', () => {
  const typeMeta = (charset: string): string =>
    `<META content='text/html;charset=${charset}' http-equiv=Content-Type><p>Grüße`;
  assert.deepEqual(told(typeMeta('iso-8859-1'), 'text/html'), [
    'text/html; charset=utf-8',
    typeMeta('utf-8'),
  ]);
  const xhtml = (charset: string): string =>
    `<?xml version="1.0" encoding='${charset}'?><html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset=${charset} /></head><body>ß</body></html>`;
  assert.deepEqual(told(xhtml('iso-8859-1'), 'application/xhtml+xml'), [
    'application/xhtml+xml; charset=utf-8',
    xhtml('utf-8'),
  ]);
  const svg = (charset: string): string =>
    `<?xml version="1.0" encoding="${charset}"?><svg><text>ß</text></svg>`;
  assert.deepEqual(told(svg('gb2312'), 'image/svg+xml; charset=gb2312'), [
    'image/svg+xml; charset=utf-8',
    svg('utf-8'),
  ]);
  assert.deepEqual(told('<p>wide', 'text/html; charset=utf-16le'), ['text/html; charset=utf-8', '<p>wide']);
  assert.deepEqual(told('ß', '', 'text/plain'), ['text/plain; charset=utf-8', 'ß']);
});

test('what says nothing wrong stays as it is', () => {
  const comment =
    '<!-- <meta charset="koi8-r"> --><meta name=x content="charset=koi8-r"><meta charset=utf8><p>я';
  for (const [text, type] of [
    [comment, 'text/html'],
    ['<meta charset="windows-1251"><p>plain', 'text/html; charset=windows-1251'],
    ['я', 'text/css; charset=UTF-8'],
    ['"я"', 'application/json'],
    ['<svg>я</svg>', 'image/svg+xml'],
    ['WEBVTT я', 'text/vtt'],
  ] as const)
    assert.deepEqual(told(text, type), [type, text]);
  assert.deepEqual(told('plain', '', 'text/html'), [undefined, 'plain']);
});

test('a page of which nothing says that it is one is told to be, because browsers look at it', () => {
  const { headers } = utf8Text('<!doctype html><p>при', [], '');
  assert.deepEqual(headers, [['content-type', 'text/html; charset=utf-8']]);
  assert.deepEqual(utf8Text('{"a":"при"}', [], '').headers, []);
});
