import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PreparedWorkload, SiteRoot } from '../../src/core/model/workload.ts';

/** The page that the harness is measured with, and the body that the server is. */
export interface BenchSite {
  readonly roots: readonly SiteRoot[];
  readonly workload: PreparedWorkload;
  readonly body: { readonly host: string; readonly path: string; readonly bytes: number };
  /** The same page, which tells our server of its load when it is over. */
  readonly telling: {
    readonly workload: PreparedWorkload;
    /** What it asks for then, with its load time in ms behind it. */
    readonly reportPath: string;
    /** What browsers show before: a page that stays, and one that goes on to the page by itself when a browser has settled. */
    readonly waitingUrl: string;
    readonly leadingUrl: string;
  };
}

const waitingHost = 'waiting.bench.test';
const pageHost = 'page.bench.test';
const assetHost = 'assets.bench.test';
const imageCount = 40;
const imageBytes = 8_000;
const quietMs = 500;
const deadlineMs = 60_000;
const reportPath = '/loaded?ms=';
/** By then the page's times are known, and nothing of its load is under way. */
const reportAfterMs = 300;
/** A browser works for some seconds after its start. */
const settleMs = 4000;

const report = `<script>addEventListener('load', () => setTimeout(() => {
  fetch('${reportPath}' + performance.getEntriesByType('navigation')[0].loadEventEnd);
}, ${reportAfterMs}))</script>`;

/** Writes a page of 42 objects on two hosts and a body of `bodyBytes` below `directory`. `port` is the server's. */
export async function writeBenchSite(directory: string, port: number, bodyBytes: number): Promise<BenchSite> {
  const roots = [pageHost, assetHost, waitingHost].map((host) => ({
    host,
    directory: path.join(directory, host),
  }));
  for (const root of roots) await mkdir(root.directory, { recursive: true });
  const images = Array.from({ length: imageCount }, (_, index) => `/image-${index}.svg`);
  const html = pageHtml(images, port);
  await writeFile(path.join(directory, pageHost, 'index.html'), html);
  await writeFile(path.join(directory, pageHost, 'telling.html'), html + report);
  await writeFile(path.join(directory, pageHost, 'loaded'), 'told');
  await writeFile(path.join(directory, waitingHost, 'waiting.html'), '<!doctype html><title>waiting</title>');
  const nextPage = `<script>setTimeout(() => (location.href = 'https://${pageHost}:${port}/telling.html'), ${settleMs})</script>`;
  await writeFile(path.join(directory, waitingHost, 'leading.html'), nextPage);
  await writeFile(path.join(directory, assetHost, 'style.css'), 'body { font: 16px sans-serif }');
  for (const [index, name] of images.entries())
    await writeFile(path.join(directory, assetHost, name), imageSvg(index));
  const body = { host: assetHost, path: '/body.bin', bytes: bodyBytes };
  const file = await open(path.join(directory, assetHost, 'body.bin'), 'w');
  await file.truncate(bodyBytes);
  await file.close();
  const waiting = `https://${waitingHost}:${port}`;
  const telling = {
    workload: workloadOf(roots, '/telling.html'),
    reportPath,
    waitingUrl: `${waiting}/waiting.html`,
    leadingUrl: `${waiting}/leading.html`,
  };
  return { roots, workload: workloadOf(roots, '/'), body, telling };
}

function workloadOf(roots: readonly SiteRoot[], entryPath: string): PreparedWorkload {
  return {
    id: 'bench-page',
    kind: 'page',
    title: 'page of the harness bench',
    roots: [...roots],
    entry: { host: pageHost, path: entryPath },
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
