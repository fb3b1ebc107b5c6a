import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SiteRoot } from '../../src/core/model/workload.ts';

/** A page on `page.test` with objects there and on `cdn.test`: style, scripts, images. */
export interface TwoHostSite {
  readonly roots: readonly SiteRoot[];
  /** `host` + path of every object that a load asks for, the page included. */
  readonly objects: readonly string[];
}

const onePixelGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');

/** Writes the site below `folder`; `port` is the server's. Each image is padded to `imageBytes`. */
export function writeTwoHostSite(
  folder: string,
  port: number,
  imageCount = 20,
  imageBytes = 20_000,
): TwoHostSite {
  const [page, cdn] = ['page', 'cdn'].map((name) => path.join(folder, name)) as [string, string];
  [page, cdn].forEach((directory) => mkdirSync(directory, { recursive: true }));
  const image = Buffer.concat([onePixelGif, Buffer.alloc(imageBytes)]);
  const images = Array.from({ length: imageCount }, (_, index) => `/i${index}.gif`);
  images.forEach((name, index) => writeFileSync(path.join(index % 2 === 0 ? page : cdn, name), image));
  writeFileSync(path.join(page, 'style.css'), 'h1 { color: navy }');
  writeFileSync(path.join(cdn, 'module.mjs'), 'document.title = "module ran";');
  writeFileSync(path.join(page, 'index.html'), pageHtml(images, port));
  const imageObjects = images.map((name, index) => (index % 2 === 0 ? 'page.test' : 'cdn.test') + name);
  return {
    roots: [
      { host: 'page.test', directory: page },
      { host: 'cdn.test', directory: cdn },
    ],
    objects: ['page.test/', 'page.test/style.css', 'cdn.test/module.mjs', ...imageObjects],
  };
}

function pageHtml(images: readonly string[], port: number): string {
  const cdn = `https://cdn.test:${port}`;
  const tags = images.map((name, index) => `<img src="${index % 2 === 0 ? '' : cdn}${name}">`).join('\n');
  return `<!doctype html><title>two hosts</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
<script type="module" src="${cdn}/module.mjs"></script><h1>Two hosts</h1>${tags}`;
}
