import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteCss } from '../../../../sites/localise/css-references.ts';
import type { RewriteReference } from '../../../../sites/localise/reference.ts';

const upper: RewriteReference = (reference) => reference.toUpperCase();

test('every form of url() and @import is rewritten, once', () => {
  const css = `@import "a.css"; @import url(b.css) screen; @import url('c.css');
p { background: url(d.png), url( "e f.png" ); src: url('g.woff2?#iefix') format("woff2") }`;
  const rewritten = rewriteCss(css, upper);
  for (const name of ['A.CSS', 'B.CSS', 'C.CSS', 'D.PNG', 'E%20F.PNG', 'G.WOFF2?#IEFIX']) {
    assert.equal(rewritten.split(name).length, 2, `${name} stands once in ${rewritten}`);
  }
  assert.match(rewritten, /url\(B\.CSS\) screen/);
});

test('inline data and anchors are never asked about', () => {
  const css = 'a { mask: url("data:image/svg+xml;utf8,<svg xmlns=\'x\'/>") } b { fill: url(#gradient) }';
  const asked: string[] = [];
  const same = rewriteCss(css, (reference) => {
    asked.push(reference);
    return null;
  });
  assert.equal(same, css);
  assert.deepEqual(asked, []);
});

test('what leads nowhere becomes inline data, so that no request is made', () => {
  const rewritten = rewriteCss('@import "//fonts.example/x"; p { background: url(gone.png) }', () => null);
  assert.equal(rewritten, '@import url(data:text/css,); p { background: url(data:,) }');
});
