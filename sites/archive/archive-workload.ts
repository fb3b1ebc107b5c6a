import { basename, join, resolve } from 'node:path';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type {
  PreparedWorkload,
  Replay,
  ReplayOptions,
  SiteRoot,
  Workload,
  WorkloadFacts,
} from '../../src/core/model/workload.ts';
import { addressOf } from './address-of.ts';
import { chanceScript } from '../replay/chance-script.ts';
import type { ArchiveEntry, ArchiveIndex } from './archive-index.ts';
import { headerOf } from './headers.ts';
import { openArchive, parseIndex } from './open-archive.ts';
import { sha256 } from './write-archive.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import { readInput } from '../../src/core/system/read-input.ts';

/** Recorded pages ask for objects after their load event. */
const quietMs = 1_000;
const deadlineMs = 60_000;
const expectedTrialMs = 6_000;
const httpsPort = 443;

const defaultMissShare = 0.02;
const defaultInexactShare = 0.1;
/** Every address that failed stands in the plan: a page that failed without end must not fill it. */
const maxExpectedFailures = 1_000;

/** A recorded site as a page workload, `archive-NAME` by its folder's name. Opens the index only; all bodies are checked when the workload is prepared. @throws H2h3Error `bad-input` for a folder that is no archive. */
export function archiveWorkload(path: string, options: ReplayOptions = {}): Workload {
  const directory = resolve(path);
  const { index, indexHash } = readIndex(directory);
  const id = archiveId(directory);
  const title = `Recording of ${index.urls[0]}`;
  const facts = factsOf(index);
  return {
    id,
    kind: 'page',
    title,
    facts,
    expectedTrialMs,
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
    roots: archive.hosts.map((host) => ({
      host,
      directory,
      origin: archiveOrigin(directory, options, index),
    })),
    entry: { url: index.urls[0] ?? '' },
    driver: 'load',
    quietMs,
    deadlineMs,
    loggedHosts: [],
    mediaBufferMegabytes: 0,
    replay: replayOf(index, options),
    ...(index.device === null ? {} : { device: index.device }),
  };
}

/** The program that answers for an archive's hosts. */
export function archiveOrigin(
  directory: string,
  options: ReplayOptions = {},
  index?: ArchiveIndex,
): NonNullable<SiteRoot['origin']> {
  const program = moduleFile('../replay/serve-archive.ts', import.meta.url);
  const epochMs = index && epochOf(index, options);
  return {
    command: [
      process.execPath,
      program,
      directory,
      ...(options.thinkTime === true ? ['--think-time'] : []),
      ...(typeof epochMs === 'number' ? [`--deterministic=${epochMs}`] : []),
    ],
  };
}

/** A page that was recorded with settled time and chance asks for the recorded addresses with the same ones only. */
function epochOf(index: ArchiveIndex, options: ReplayOptions): number | null {
  if (index.deterministicEpochMs !== null) return index.deterministicEpochMs;
  return options.deterministic === true ? Date.parse(index.recordedAt) : null;
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
      next: 'Record one with `npx h2h3 record https://…`, or import a HAR or WARC file.',
    });
  let content: string;
  let json: unknown;
  try {
    content = readInput(file, { what: 'the index of an archive' }).toString('utf8');
    json = parseForeignJson(content);
  } catch (cause) {
    throw fail(messageOf(cause));
  }
  return { index: parseIndex(json, file), indexHash: sha256(Buffer.from(content)) };
}

function replayOf(index: ArchiveIndex, options: ReplayOptions): Replay {
  const ports = index.entries.map(({ port }) => port);
  const ofUrls = index.urls.map((url) => Number(new URL(url).port || httpsPort));
  const epochMs = epochOf(index, options);
  return {
    ports: [...new Set([httpsPort, ...ofUrls, ...ports])],
    essentialMisses: options.essentialMisses ?? 0,
    missShare: options.missShare ?? defaultMissShare,
    inexactShare: options.inexactShare ?? defaultInexactShare,
    firstScript: epochMs === null ? null : chanceScript(epochMs),
    expectedFailures: failedAddresses(index).slice(0, maxExpectedFailures),
    deadHosts: deadHosts(index).slice(0, maxExpectedFailures),
  };
}

function failedAddresses(index: ArchiveIndex): string[] {
  const failed = index.entries.filter(({ failure }) => failure !== null).map(addressOf);
  return [
    ...new Set([
      ...index.failures.map(({ url }) => url),
      ...index.lacks.map(({ url }) => url.replace(/^ws/, 'http')),
      ...failed,
    ]),
  ];
}

function deadHosts(index: ArchiveIndex): string[] {
  const answered = new Set(index.entries.filter(({ status }) => status !== 0).map(({ host }) => host));
  const failed = failedAddresses(index)
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url));
  return [...new Set(failed.filter(({ hostname }) => !answered.has(hostname)).map(({ host }) => host))];
}

/** Of the first load: a trial makes one. */
function factsOf(index: ArchiveIndex): WorkloadFacts {
  const entries = index.entries.filter(({ visit }) => visit === 0);
  const types: Record<string, number> = {};
  for (const entry of entries) {
    const type = typeOf(entry);
    types[type] = (types[type] ?? 0) + 1;
  }
  return {
    objectCount: entries.length,
    hostCount: new Set(entries.map(({ host }) => host)).size,
    wireBytes: entries.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
    types,
    source: `recorded ${index.recordedAt} by ${index.recorder}${index.complete ? '' : ', not quiet at its limit'}`,
  };
}

function typeOf({ headers }: ArchiveEntry): string {
  const type = headerOf(headers, 'content-type') ?? '';
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
