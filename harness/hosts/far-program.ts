import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { create } from 'tar';
import { shellWord } from '../../src/core/model/command-words.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { packageDirOf } from '../../src/core/system/module-file.ts';
import { digestOf } from '../../src/core/system/package-archive.ts';
import { newestFirst } from '../tools/version-order.ts';
import { foreignText } from './foreign-text.ts';
import { programFiles } from './program-files.ts';
import type { SshConnection, SshResult } from './ssh-connection.ts';

const lookLimitMs = 30_000;
/** 60 MB over a slow link. */
const copyLimitMs = 10 * 60_000;
const megabyte = 1_000_000;

/** In every script: nothing that the other machine says becomes part of a command. */
const farFolder = 'far="${XDG_CACHE_HOME:-$HOME/.cache}/h2h3/far"';

interface FarSystem {
  /** As `uname -s -m` has it. */
  readonly system: string;
  /** Its own Node; null: none on its PATH. */
  readonly node: string | null;
  readonly hasProgram: boolean;
  readonly hasNode: boolean;
  readonly lacks: readonly string[];
}

export interface FarProgramOptions {
  readonly connection: SshConnection;
  /** For the archive on its way. */
  readonly folder: string;
  readonly say: (title: string) => void;
}

/**
 * Sees to it that this very h2h3 is over there, with a Node that runs it: copied once and kept by its content.
 *
 * @returns the shell script that becomes it
 * @throws H2h3Error `unsupported` where it cannot be there, with the reason
 */
export async function ensureFarProgram({ connection, folder, say }: FarProgramOptions): Promise<string> {
  const files = programFiles();
  const program = files.digest.slice(0, 32);
  const node = `node-${process.versions.node}-${process.platform}-${process.arch}`;
  const far = await lookAt(connection, program, node);
  if (far.lacks.length > 0)
    throw new H2h3Error('unsupported', `${connection.host} lacks ${far.lacks.join(', ')}`, {
      next: 'Install coreutils, tar and gzip there.',
    });
  const least = oldestNode();
  const ownNode = far.node !== null && newestFirst(far.node, least) <= 0;
  if (!ownNode && !far.hasNode) {
    requireSameSystem(far, connection.host, least);
    await copy(
      connection,
      node,
      { root: dirname(process.execPath), paths: [basename(process.execPath)] },
      { folder, say },
    );
    await requireRunning(connection, node, least);
  }
  if (!far.hasProgram) await copy(connection, program, files, { folder, say });
  const start = ownNode ? 'node' : `"$far/${node}/${basename(process.execPath)}"`;
  // As the launcher here does: what was compiled once starts sooner the next time.
  const compiled = 'export NODE_COMPILE_CACHE="$far/compiled"';
  return `${farFolder}; ${compiled}; exec ${start} --disable-warning=ExperimentalWarning "$far/${program}/"${shellWord(files.agent)}`;
}

/** The oldest Node that runs h2h3. */
function oldestNode(): string {
  const file = join(packageDirOf(import.meta.url), 'src', 'cli', 'pinned-node.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly least: string }).least;
}

async function lookAt(connection: SshConnection, program: string, node: string): Promise<FarSystem> {
  const script = `${farFolder}
echo "system $(uname -s -m)"
echo "node $(node --version 2>/dev/null)"
[ ! -d "$far/${program}" ] || echo program
[ ! -d "$far/${node}" ] || echo pinned
for each in tar gzip sha256sum mktemp; do command -v $each >/dev/null || echo "lacks $each"; done`;
  const result = await connection.run(script, lookLimitMs);
  if (result.exitCode !== 0) throw scriptFailure(connection.host, 'a look at it failed', result);
  return parseFarSystem(result.stdout);
}

/** What the far shell said; a line that is none of these is passed over, as a greeting is. */
export function parseFarSystem(text: string): FarSystem {
  const lines = text.split('\n');
  const valueOf = (pattern: RegExp): string | undefined =>
    lines.map((line) => pattern.exec(line)?.[1]).find((value) => value !== undefined);
  return {
    system: valueOf(/^system ([\w. -]{1,100})$/) ?? 'unknown',
    node: valueOf(/^node v(\d+\.\d+\.\d+)$/) ?? null,
    hasProgram: lines.includes('program'),
    hasNode: lines.includes('pinned'),
    lacks: lines.flatMap((line) => /^lacks ([a-z0-9]{1,20})$/.exec(line)?.[1] ?? []),
  };
}

/** How `uname -s -m` calls what Node calls otherwise. */
const systemNames: Readonly<Record<string, string>> = {
  'linux-x64': 'Linux x86_64',
  'linux-arm64': 'Linux aarch64',
};

function requireSameSystem({ system, node }: FarSystem, host: string, least: string): void {
  if (systemNames[`${process.platform}-${process.arch}`] === system) return;
  const has = node === null ? 'has no Node on its PATH' : `has Node ${node}`;
  throw new H2h3Error(
    'unsupported',
    `${host} ${has}, and that of this machine is for another system than ${system}`,
    {
      next: `Install Node ${least} or newer there, where a shell without a terminal finds it.`,
    },
  );
}

async function requireRunning(connection: SshConnection, node: string, least: string): Promise<void> {
  const script = `${farFolder}; "$far/${node}/${basename(process.execPath)}" --version`;
  const result = await connection.run(script, lookLimitMs);
  if (result.exitCode === 0 && result.stdout.trim() === process.version) return;
  const removed = await connection.run(`${farFolder}; rm -rf "$far/${node}"`, lookLimitMs);
  const context = { stderrTail: `${result.stderr}${removed.stderr}` };
  throw new H2h3Error('unsupported', `this machine's Node does not run on ${connection.host}`, {
    next: `Install Node ${least} or newer there, where a shell without a terminal finds it.`,
    context,
  });
}

/** Exit code of the script below for bytes that are not those that were sent. */
const damaged = 65;

/** Takes an archive from its standard input; only a whole one gets its name. */
const receive = (name: string, sha256: string): string => `set -e
umask 077
${farFolder}
mkdir -p "$far"
part=$(mktemp -d "$far/partial-XXXXXX")
trap 'rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
cat > "$part/archive"
echo "${sha256}  $part/archive" | sha256sum -c > /dev/null 2>&1 || exit ${damaged}
mkdir "$part/tree"
tar -xzf "$part/archive" -C "$part/tree"
[ -d "$far/${name}" ] || mv "$part/tree" "$far/${name}"`;

async function copy(
  connection: SshConnection,
  name: string,
  { root, paths }: { readonly root: string; readonly paths: readonly string[] },
  { folder, say }: Pick<FarProgramOptions, 'folder' | 'say'>,
): Promise<void> {
  const archive = join(folder, `${name}.tar.gz`);
  await create({ file: archive, cwd: root, gzip: true, portable: true, follow: true }, [...paths]);
  const sha256 = await digestOf(archive, 'sha256', 'hex');
  const size = Math.ceil(statSync(archive).size / megabyte);
  say(`Copying ${name.startsWith('node-') ? 'Node' : 'h2h3'} to ${connection.host} (${size} MB, once)`);
  const result = await connection.run(receive(name, sha256), copyLimitMs, archive);
  if (result.exitCode === 0) return;
  if (result.exitCode === damaged)
    throw new H2h3Error('process-failed', `h2h3 was damaged on its way to ${connection.host}`, {
      next: 'Run it again.',
    });
  if (/No space left|Disk quota exceeded/.test(result.stderr))
    throw new H2h3Error(
      'unsupported',
      `${connection.host} has no room for h2h3, which takes ${4 * size} MB`,
      {
        next: 'Make room in ~/.cache/h2h3 there.',
        context: { stderrTail: result.stderr },
      },
    );
  throw scriptFailure(connection.host, 'h2h3 could not be copied there', result);
}

function scriptFailure(host: string, what: string, { stderr, exitCode }: SshResult): H2h3Error {
  const last = foreignText(stderr.trim().split('\n').at(-1) ?? '');
  return new H2h3Error('unsupported', `${host}: ${what}: ${last === '' ? `exit code ${exitCode}` : last}`, {
    context: { stderrTail: stderr },
  });
}
