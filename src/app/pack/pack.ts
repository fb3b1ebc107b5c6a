import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderCsvwMetadata } from '../../../reports/csv/render-csvw-metadata.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Environment } from '../../core/model/environment.ts';
import { filesOfRun, writeRunArchive, type ArchiveFile, type PackedFile } from '../../store/run-archive.ts';
import { readOutsidePlan, type ActingField } from '../../plan/outside-plan.ts';
import { openRunDirectory, rawPlan, type RunDirectory } from '../../store/run-directory.ts';
import { isRunning } from '../../store/run-lock.ts';
import { requireWritable } from '../../core/system/write-whole.ts';
import type { AppContext } from '../app-context.ts';
import { actsInWords } from '../plan/trusted-plan.ts';
import { requireRecords } from '../report/publish.ts';
import { crateFile, crateOf } from './crate.ts';
import { searchFiles } from './secrets-in-files.ts';
import { secretsOfRun } from './secrets-of-run.ts';

export interface PackOptions {
  /** The archive to write. */
  readonly out: string;
  /** Pack although something looks like a secret. Default: no. */
  readonly keepSecrets?: boolean | undefined;
  /** Pack a run that `reproduce` will refuse, because its plan does more than measure. Default: no. */
  readonly forReading?: boolean | undefined;
}

export interface PackedRun {
  readonly path: string;
  readonly fileCount: number;
  readonly sizeBytes: number;
  /** Entries of the folder that are not of the run and stayed out. */
  readonly leftOut: readonly string[];
  /** Secrets of the plan that were not looked for, because nobody here knows them: by name. */
  readonly notSought: readonly string[];
  /** What of this machine the archive names, such as its host name. */
  readonly names: readonly string[];
}

/**
 * Packs a run into one file that another machine can measure again: plan, records, evidence, reports, digests of programs,
 * licence, citation, and metadata of RO-Crate and CSV on the Web. Packing twice gives the same bytes.
 *
 * @throws H2h3Error `usage` for a run under way or a file that is there; `bad-input` where something looks like a secret, and
 * for a run that `reproduce` would refuse
 */
export async function pack(path: string, options: PackOptions, context: AppContext): Promise<PackedRun> {
  const out = resolve(options.out);
  if (existsSync(out))
    throw new H2h3Error('usage', `${options.out} is there already`, {
      next: 'Name another file with --out.',
    });
  requireWritable(options.out, '--out');
  const directory = openRunDirectory(path);
  if (isRunning(directory.path))
    throw new H2h3Error('usage', `${path} is still being measured`, { next: 'Pack it when it has ended.' });
  requireRecords(directory);
  const { acts } = readOutsidePlan(rawPlan(directory), path);
  if (acts.length > 0 && options.forReading !== true) throw notReproduced(path, acts);
  const { files: own, leftOut } = filesOfRun(directory.path);
  const known = secretsOfRun(directory.plan, context.environment);
  const search = options.keepSecrets === true ? undefined : searchFiles(known.secrets);
  const packed: PackedFile[] = [];
  const heads = new Map<string, string>();
  const all = function* (): Generator<ArchiveFile> {
    yield* own;
    yield* addedFiles(directory, acts.length > 0, context);
    search?.requireNone();
    // Of what was packed before them.
    yield* tableDescriptions(heads, context);
    yield crateAsFile(directory, packed);
  };
  const sizeBytes = await writeRunArchive(out, all(), async (file, content) => {
    packed.push(file);
    if (tables.has(file.name)) heads.set(file.name, headOf(content));
    await search?.look(file.name, content);
  });
  const notSought = search === undefined ? [] : known.unknown;
  return {
    path: out,
    fileCount: packed.length + 1,
    sizeBytes,
    leftOut,
    notSought,
    names: namesOf(directory),
  };
}

/** `reproduce` would refuse the archive, so that the reader learns it from who packs it. */
function notReproduced(path: string, acts: readonly ActingField[]): H2h3Error {
  return new H2h3Error(
    'bad-input',
    `\`reproduce\` would refuse an archive of ${path}: ${actsInWords(acts)}`,
    {
      next: 'Pack it with --for-reading: others can read and analyse it, and measure it again only with --trust.',
    },
  );
}

/** Tables whose columns `reports/csv/COLUMNS.md` explains. */
const tables: ReadonlySet<string> = new Set([
  'observations.csv',
  'comparisons.csv',
  'chunks.csv',
  'audience.csv',
  'tails.csv',
]);

const maxHeadBytes = 10_000;

/** The first line of a table. */
function headOf(content: Uint8Array): string {
  const text = Buffer.from(content.subarray(0, maxHeadBytes)).toString('utf8');
  return text.split(/\r?\n/, 1)[0] ?? '';
}

function* tableDescriptions(
  heads: ReadonlyMap<string, string>,
  { projectDir }: AppContext,
): Generator<ArchiveFile> {
  const explained = readFileSync(join(projectDir, 'reports', 'csv', 'COLUMNS.md'), 'utf8');
  for (const [name, head] of heads)
    yield textFile(`${name}-metadata.json`, renderCsvwMetadata(name, head.split(','), explained));
}

const textFile = (name: string, text: string): ArchiveFile => ({ name, read: () => Buffer.from(text) });

function addedFiles(directory: RunDirectory, wantsTrust: boolean, { projectDir }: AppContext): ArchiveFile[] {
  const packageFile = (name: string): ArchiveFile => ({
    name,
    read: () => readFileSync(join(projectDir, name)),
  });
  return [
    packageFile('LICENSE'),
    packageFile('CITATION.cff'),
    textFile('README.md', readmeOf(directory, wantsTrust)),
    textFile('programs.json', `${JSON.stringify(programsOf(directory.environment()), null, 1)}\n`),
  ];
}

function crateAsFile(directory: RunDirectory, files: readonly PackedFile[]): ArchiveFile {
  const { records } = directory.journal();
  const text = crateOf({ plan: directory.plan, environment: directory.environment(), records, files });
  return textFile(crateFile, text);
}

function readmeOf({ plan }: RunDirectory, wantsTrust: boolean): string {
  return `# A run of h2h3

\`${plan.command}\`

\`report.html\` shows the result. \`plan.json\` says what was measured, \`journal.jsonl\` has one line a trial, \`trials\` the evidence.

\`\`\`sh
sha256sum --check SHA256SUMS                    # in this folder: nothing was changed
npx h2h3 report .                               # makes the reports again from the records
npx h2h3 reproduce FILE.zip --out again${wantsTrust ? ' --trust' : '        '} # measures the same plan on this machine and compares
\`\`\`
`;
}

interface ProgramFacts {
  readonly name: string;
  readonly version: string;
  /** Of the program itself as it was measured; absent in older runs. */
  readonly sha256?: string;
  /** Of the archive that it came from. */
  readonly integrity?: string;
  readonly origin?: string;
}

/** The programs of a run with what the run itself says of them; no program is opened, for the run may be somebody else's. */
function programsOf(environment: Environment | null): ProgramFacts[] {
  if (environment === null) return [];
  const clients = environment.clients.map(({ name, version, executableSha256 }) => ({
    name,
    version,
    ...(executableSha256 === undefined ? {} : { sha256: executableSha256 }),
  }));
  const servers = environment.servers.map(({ name, version, origin, integrity, executableSha256 }) => ({
    name,
    version,
    ...(executableSha256 === undefined ? {} : { sha256: executableSha256 }),
    ...(origin === undefined ? {} : { origin }),
    ...(integrity === undefined ? {} : { integrity }),
  }));
  return [...clients, ...servers];
}

function namesOf(directory: RunDirectory): string[] {
  const environment = directory.environment();
  const hosts = [environment?.host, ...(environment?.hosts ?? []).map(({ host }) => host)];
  const named = new Set(hosts.filter((host) => host !== undefined).map((host) => `host ${host}`));
  return [...named, ...directory.plan.urls.map((url) => `address ${url}`)];
}
