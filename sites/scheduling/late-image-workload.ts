import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type {
  PrepareContext,
  PreparedWorkload,
  Workload,
  WorkloadFacts,
} from '../../src/core/model/workload.ts';
import { pageModule } from '../../src/core/system/module-file.ts';
import { shortHash } from '../localise/write-roots.ts';
import { makeWhole } from '../make-whole.ts';
import { pngBody } from '../replicas/image-body.ts';
import { seededBytes } from '../replicas/seeded-bytes.ts';

/** Eight bodies of 300 KB fill a path of 5 Mbit/s for four seconds; the picture is asked for when a good part is under way. */
const bodies = { count: 8, bytes: 300_000 } as const;
const picture = { bytes: 50_000, lateMs: 500 } as const;
const host = 'late-image.h2h3.test';
/** Paths of the objects, as the server logs them. */
export const lateImagePaths = {
  urgent: '/urgent.png',
  low: Array.from({ length: bodies.count }, (_, index) => `/low-${index}.bin`),
} as const;

const quietMs = 800;
const deadlineMs = 60_000;
const id = 'page-late-image';
const title = 'A late urgent picture behind eight bodies of 300 KB that nobody waits for';
const wireBytes = bodies.count * bodies.bytes + picture.bytes;

const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Late picture</title>
<script type="module" src="late-image.js"></script>
</head>
<body></body>
</html>
`;

const facts: WorkloadFacts = {
  objectCount: bodies.count + 3,
  hostCount: 1,
  wireBytes,
  types: { html: 1, js: 1, image: 1, other: bodies.count },
  source: 'generated: bytes and a picture without structure',
};

/** Made for one question: does what is urgent overtake what was asked for before? Its picture is the largest paint. */
export function lateImageWorkload(): Workload {
  return {
    id,
    kind: 'page',
    title,
    facts,
    expectedTrialMs: 2_500,
    prepare,
  };
}

async function prepare(context: PrepareContext): Promise<PreparedWorkload> {
  context.progress({ title: `Preparing ${title}` });
  const directory = await ensureFiles(join(context.cacheDir, 'scheduling'));
  return {
    id,
    kind: 'page',
    title,
    roots: [{ host, directory }],
    entry: { host, path: `/index.html?bodies=${bodies.count}&late=${picture.lateMs}` },
    driver: 'load',
    quietMs,
    deadlineMs,
    loggedHosts: [host],
    mediaBufferMegabytes: 0,
    facts,
  };
}

async function ensureFiles(parent: string): Promise<string> {
  const script = pageModule('../page/late-image.ts', import.meta.url);
  const directory = join(parent, `late-image-${shortHash([html, script, bodies, picture])}`);
  if (existsSync(directory)) return directory;
  await makeWhole(directory, async (scratch) => {
    await writeFile(join(scratch, 'index.html'), html);
    await writeFile(join(scratch, 'late-image.js'), script);
    await writeFile(join(scratch, lateImagePaths.urgent), pngBody(picture.bytes, id));
    for (const path of lateImagePaths.low)
      await writeFile(join(scratch, path), seededBytes(path, bodies.bytes));
    return scratch;
  });
  return directory;
}
