import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteHtml } from '../../../../sites/localise/html-references.ts';
import type { RewriteReference } from '../../../../sites/localise/reference.ts';

function rewritten(html: string, rewrite: RewriteReference): string {
  return rewriteHtml(html, { rewrite, removesScript: (text) => text.includes('beacon') });
}

test('attributes that fetch are rewritten, and every other byte stays', () => {
  const html = `<!DOCTYPE html><HTML><head><title>x</title></head><body class='odd'>
<a href="other.html">link</a><img  alt="" src='a.png' srcset="a.png 1x, b.png 2x"><video poster=c.png></video>
<p style="color: red; background: url(d.png)">text &amp; more</p></body></html>`;
  const result = rewritten(html, (reference) => `https://img.test/${reference}`);
  const expected = html
    .replace('<head>', '<head><link rel="icon" href="data:,">')
    .replace(`src='a.png'`, 'src="https://img.test/a.png"')
    .replace('"a.png 1x, b.png 2x"', '"https://img.test/a.png 1x, https://img.test/b.png 2x"')
    .replace('poster=c.png', 'poster="https://img.test/c.png"')
    .replace('url(d.png)', 'url(https://img.test/d.png)');
  assert.equal(result, expected);
});

test('what leads nowhere is taken out: scripts and styles vanish, images turn blank', () => {
  const html =
    '<head></head><script src="//x/a.js"></script><link rel="stylesheet" href="//x/a.css"><img src="//x/a.png"><iframe src="//x/"></iframe>';
  const result = rewritten(html, () => null);
  assert.doesNotMatch(result, /\/\/x/);
  assert.match(result, /<img src="data:image\/gif/);
  assert.match(result, /<iframe src="about:blank">/);
});

test('icons, manifests, hints, refreshes and beacons are removed, an empty icon is added', () => {
  const html = `<head><link rel="shortcut icon" href="f.ico"><link rel="manifest" href="m.json"><link rel="preconnect" href="//x">
<meta http-equiv="refresh" content="1;url=//x"><script>beacon()</script><script>kept()</script></head>`;
  const result = rewritten(html, () => undefined);
  assert.doesNotMatch(result, /f\.ico|m\.json|preconnect|refresh|beacon/);
  assert.match(result, /kept\(\)/);
  assert.equal(result.match(/rel="icon"/g)?.length, 1);
});

test('integrity hashes go, because rewritten files no longer match them', () => {
  const html = '<head><link rel="stylesheet" href="a.css" integrity="sha384-x"></head>';
  assert.doesNotMatch(
    rewritten(html, () => undefined),
    /integrity/,
  );
});

test('style elements are rewritten, noscript is not', () => {
  const html = '<head><style>p{background:url(a.png)}</style></head><noscript><img src="n.png"></noscript>';
  const result = rewritten(html, (reference) => `/new/${reference}`);
  assert.match(result, /url\(\/new\/a\.png\)/);
  assert.match(result, /<noscript><img src="n\.png">/);
});
