import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { localisePage, type LocalisedPage } from '../../../../sites/localise/localise-page.ts';
import { PackageSpace } from '../../../../sites/localise/package-space.ts';
import type { PageSource } from '../../../../sites/pages/page-source.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const pinned = { version: '1.0.0', integrity: 'sha512-x', licence: 'MIT' };
const source: PageSource = {
  id: 'shop',
  title: 'Shop',
  own: 'shop',
  mounts: {
    shop: { package: { name: 'shop', ...pinned }, directory: 'dist' },
    cdn: { package: { name: 'kit', ...pinned }, directory: '', joined: { 'all.css': ['a.css', 'b.css'] } },
  },
  entry: 'pages/index.html',
  external: { 'https://cdn.example/kit@1/': 'cdn:', 'https://fonts.example/css?family=X': 'cdn:all.css' },
  files: { 'extra.json': '{}' },
  askedByScripts: ['extra.json'],
  measured: { objects: 0, hosts: 0, wireBytes: 0, types: {} },
};

const shop = {
  'dist/pages/index.html': `<head><link rel=stylesheet href="../css/main.css?v=2"><link rel=stylesheet href="https://fonts.example/css?family=X:400">
<script type=module src="../js/main.js"></script><script src="https://cdn.example/kit@1/kit.js"></script>
<script src="https://ads.example/a.js"></script></head><img src="../img/a%20b.png"><img src="/gone.png">`,
  'dist/css/main.css': '@font-face{src:url(../font/x.woff2)} p{background:url(../img/bg.png)}',
  'dist/js/main.js': "import './part.js'; import('./late.js');",
  'dist/js/part.js': "export * from '../js/late.js';",
  'dist/js/late.js': 'export const late = 1;',
  'dist/img/a b.png': 'png',
  'dist/img/bg.png': 'png',
  'dist/font/x.woff2': 'font',
  'secret.txt': 'outside of the mount',
};
const kit = { 'kit.js': 'kit()', 'a.css': 'a{}', 'b.css': 'b{src:url(f.woff2)}', 'f.woff2': 'font' };

async function localised(t: Parameters<typeof tempFolder>[0]): Promise<LocalisedPage> {
  const folder = tempFolder(t);
  for (const [name, files] of Object.entries({ shop, cdn: kit })) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true });
      await writeFile(join(folder, name, path), content);
    }
  }
  const directories = new Map(['shop', 'cdn'].map((name) => [name, join(folder, name)]));
  return localisePage(source, new PackageSpace(source, directories), 8443);
}

test('a page is split over hosts by type, and every reference is followed', async (t) => {
  const page = await localised(t);
  assert.deepEqual(page.entry, { host: 'www.shop.h2h3.test', path: 'pages/index.html' });
  assert.deepEqual(page.files.map((file) => `${file.host}/${file.path}`).sort(), [
    'cdn.shop.h2h3.test/kit@1.0.0/all.css',
    'cdn.shop.h2h3.test/kit@1.0.0/f.woff2',
    'cdn.shop.h2h3.test/kit@1.0.0/kit.js',
    'img.shop.h2h3.test/img/a b.png',
    'img.shop.h2h3.test/img/bg.png',
    'static.shop.h2h3.test/css/main.css',
    'static.shop.h2h3.test/font/x.woff2',
    'static.shop.h2h3.test/js/late.js',
    'static.shop.h2h3.test/js/main.js',
    'static.shop.h2h3.test/js/part.js',
    'www.shop.h2h3.test/extra.json',
    'www.shop.h2h3.test/pages/index.html',
  ]);
});

test('references to other hosts carry host and port, those within a host stay', async (t) => {
  const page = await localised(t);
  const text = (path: string): string =>
    page.files.find((file) => file.path === path)?.content.toString() ?? '';
  assert.match(
    text('pages/index.html'),
    /href="https:\/\/static\.shop\.h2h3\.test:8443\/css\/main\.css\?v=2"/,
  );
  assert.match(text('pages/index.html'), /src="https:\/\/img\.shop\.h2h3\.test:8443\/img\/a%20b\.png"/);
  assert.match(text('pages/index.html'), /https:\/\/cdn\.shop\.h2h3\.test:8443\/kit%401\.0\.0\/kit\.js/);
  assert.match(text('css/main.css'), /url\(\.\.\/font\/x\.woff2\)/);
  assert.match(text('css/main.css'), /url\(https:\/\/img\.shop\.h2h3\.test:8443\/img\/bg\.png\)/);
});

test('what no package holds is stripped and named', async (t) => {
  const page = await localised(t);
  assert.deepEqual([...page.stripped].sort(), ['/gone.png', 'https://ads.example/a.js']);
  assert.doesNotMatch(page.files.map((file) => file.content.toString()).join(), /ads\.example|gone\.png/);
});

test('a reference cannot leave its mount', async (t) => {
  const folder = tempFolder(t);
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'secret.txt'), 'x');
  const space = new PackageSpace(source, new Map([['shop', join(folder, 'dist')]]));
  assert.equal(await space.read({ mount: 'shop', path: '../../secret.txt' }), null);
});
