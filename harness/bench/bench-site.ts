import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PreparedWorkload, SiteRoot } from '../../src/model/workload.ts';

/** The page that the harness is measured with, and the body that the server is. */
export interface BenchSite {
  readonly roots: readonly SiteRoot[];
  readonly workload: PreparedWorkload;
  readonly body: { readonly host: string; readonly path: string; readonly bytes: number };
}

const pageHost = 'page.bench.test';
const assetHost = 'assets.bench.test';
const imageCount = 40;
const imageBytes = 8_000;
const quietMs = 500;
const deadlineMs = 60_000;

/** Writes a page of 42 objects on two hosts and a body of `bodyBytes` below `directory`. `port` is the server's. */
export async function writeBenchSite(directory: string, port: number, bodyBytes: number): Promise<BenchSite> {
  const roots = [pageHost, assetHost].map((host) => ({ host, directory: path.join(directory, host) }));
  for (const root of roots) await mkdir(root.directory, { recursive: true });
  const images = Array.from({ length: imageCount }, (_, index) => `/image-${index}.svg`);
  await writeFile(path.join(directory, pageHost, 'index.html'), pageHtml(images, port));
  await writeFile(path.join(directory, assetHost, 'style.css'), 'body { font: 16px sans-serif }');
  for (const [index, name] of images.entries())
    await writeFile(path.join(directory, assetHost, name), imageSvg(index));
  const body = { host: assetHost, path: '/body.bin', bytes: bodyBytes };
  const file = await open(path.join(directory, assetHost, 'body.bin'), 'w');
  await file.truncate(bodyBytes);
  await file.close();
  return { roots, workload: workloadOf(roots), body };
}

function workloadOf(roots: readonly SiteRoot[]): PreparedWorkload {
  return {
    id: 'bench-page',
    kind: 'page',
    title: 'page of the harness bench',
    roots: [...roots],
    entry: { host: pageHost, path: '/' },
    driver: 'load',
    quietMs,
    deadlineMs,
    loggedHosts: [],
    mediaBufferMegabytes: 0,
    facts: { source: 'made for the harness bench' },
  };
}

function pageHtml(images: readonly string[], port: number): string {
  const assets = `https://${assetHost}:${port}`;
  const tags = images.map((name) => `<img width="60" height="60" alt="" src="${assets}${name}">`).join('\n');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${assets}/style.css"><h1>Harness bench</h1>${tags}</html>`;
}

/** A coloured square in a file of a fixed size. */
function imageSvg(index: number): string {
  const hue = Math.round((index * 360) / imageCount);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="hsl(${hue} 80% 50%)"/></svg>`;
  return svg + ' '.repeat(Math.max(0, imageBytes - svg.length));
}
