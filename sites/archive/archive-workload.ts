import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type {
  PreparedWorkload,
  Replay,
  ReplayOptions,
  SiteRoot,
  Workload,
  WorkloadFacts,
} from '../../src/model/workload.ts';
import { archiveIndexSchema, type ArchiveEntry, type ArchiveIndex } from './archive-index.ts';
import { openArchive } from './open-archive.ts';
import { sha256 } from './write-archive.ts';
import { moduleFile } from '../../src/system/module-file.ts';

/** Recorded pages ask for objects after their load event. */
const quietMs = 1_000;
const deadlineMs = 60_000;
const expectedTrialMs = 6_000;
const httpsPort = 443;

const defaultMissShare = 0.02;

/** A recorded site as a page workload, `archive-NAME` by its folder's name. Opens the index only; all bodies are checked when the workload is prepared. @throws H2h3Error `bad-input` for a folder that is no archive. */
export function archiveWorkload(path: string, options: ReplayOptions = {}): Workload {
  const directory = resolve(path);
  const { index, indexHash } = readIndex(directory);
  const id = archiveId(directory);
  const title = `Recording of ${index.urls[0]}`;
  const facts = factsOf(index);
  return {
    ...{ id, kind: 'page', title, facts, expectedTrialMs },
    custom: { kind: 'archive', id, directory, indexHash, options },
    prepare: () => prepareArchive({ id, kind: 'page', title, facts }, index, directory, options),
  };
}

/** Checks every body, so that none can be served wrong. */
async function prepareArchive(
  head: Pick<PreparedWorkload, 'id' | 'kind' | 'title' | 'facts'>,
  index: ArchiveIndex,
  directory: string,
  options: ReplayOptions,
): Promise<PreparedWorkload> {
  const archive = await openArchive(directory);
  return {
    ...head,
    roots: archive.hosts.map((host) => ({ host, directory, origin: archiveOrigin(directory, options) })),
    entry: { url: index.urls[0] ?? '' },
    driver: 'load',
    ...{ quietMs, deadlineMs, loggedHosts: [], mediaBufferMegabytes: 0 },
    replay: replayOf(index, options),
  };
}

/** The program that answers for an archive's hosts. */
export function archiveOrigin(
  directory: string,
  { thinkTime = false }: ReplayOptions = {},
): NonNullable<SiteRoot['origin']> {
  const program = moduleFile('../replay/serve-archive.ts', import.meta.url);
  return { command: [process.execPath, program, directory, ...(thinkTime ? ['--think-time'] : [])] };
}

/** A name that is safe in every file system and on a command line. */
function archiveId(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-');
  return `archive-${name}`;
}

function readIndex(directory: string): { index: ArchiveIndex; indexHash: string } {
  const file = join(directory, 'index.json');
  const fail = (got: string): H2h3Error =>
    new H2h3Error('bad-input', `${directory} is not an archive`, {
      context: { file, expected: 'the index of a recorded site', got },
      next: 'Record one with `h2h3 record https://…`, or import a HAR or WARC file.',
    });
  let content: string;
  let json: unknown;
  try {
    content = readFileSync(file, 'utf8');
    json = JSON.parse(content);
  } catch (cause) {
    throw fail(messageOf(cause));
  }
  const parsed = archiveIndexSchema.safeParse(json);
  const issue = parsed.error?.issues[0];
  if (!parsed.success) throw fail(`${issue?.path.join('.')}: ${issue?.message}`);
  return { index: parsed.data, indexHash: sha256(Buffer.from(content)) };
}

function replayOf(index: ArchiveIndex, options: ReplayOptions): Replay {
  const ports = index.urls.map((url) => Number(new URL(url).port || httpsPort));
  return {
    ports: [...new Set([httpsPort, ...ports])],
    essentialMisses: options.essentialMisses ?? 0,
    missShare: options.missShare ?? defaultMissShare,
    deterministicEpochMs: options.deterministic === true ? Date.parse(index.recordedAt) : null,
  };
}

function factsOf(index: ArchiveIndex): WorkloadFacts {
  const types: Record<string, number> = {};
  for (const entry of index.entries) {
    const type = typeOf(entry);
    types[type] = (types[type] ?? 0) + 1;
  }
  return {
    objectCount: index.entries.length,
    hostCount: new Set(index.entries.map(({ host }) => host)).size,
    wireBytes: index.entries.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
    types,
    source: `recorded ${index.recordedAt} by ${index.recorder}${index.complete ? '' : ', not quiet at its limit'}`,
  };
}

function typeOf({ headers }: ArchiveEntry): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const known: readonly (readonly [RegExp, string])[] = [
    [/html/, 'html'],
    [/css/, 'css'],
    [/javascript|ecmascript/, 'js'],
    [/^image\//, 'image'],
    [/font|woff/, 'font'],
    [/json/, 'json'],
    [/^video\//, 'video'],
    [/^audio\//, 'audio'],
  ];
  return known.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}
