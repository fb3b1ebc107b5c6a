import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import { doesNotStart, fromDebianTree, type DebianTree } from '../tools/debian-tree.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { versionedPrograms } from '../tools/versions/catalogue.ts';
import { announcedOf, askedOf } from './access-log.ts';
import { contentTypes } from './content-types.ts';
import { anyAddress } from './server.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';

const program = 'usr/sbin/gtlsserver';
const debian = {
  name: 'ngtcp2',
  suite: 'trixie',
  packages: ['ngtcp2-server'],
  programs: [program],
  downloadMegabytes: 17,
} as const;
const changesFile = 'usr/share/doc/ngtcp2-server/changelog.Debian.gz';
const maxChangesBytes = 1_000_000;
const timeoutMs = 10_000;

const fromTree = fromDebianTree(debian, ofTree);

/**
 * The example server of ngtcp2 with GnuTLS, as Debian 13 has it: a sender of its own with CUBIC and BBR. It has one
 * certificate, one folder and no headers for browsers, so it serves downloads of command-line clients.
 */
export const ngtcp2: ServerSoftware = {
  id: 'ngtcp2',
  name: serverNames.ngtcp2,
  title:
    'ngtcp2’s example server: HTTP/3 alone, downloads of command-line clients, CUBIC, New Reno or BBR for QUIC',
  quicCongestionControls: ['cubic', 'reno', 'bbr'],
  tcpCongestion: { notInheritedReason: () => 'it has no TCP' },
  scope: 'h3-downloads',
  applies: [],
  lacks: { initialwindow: 'has no option for the initial window in its example server' },
  servesFiles: true,
  versions: { program: versionedPrograms.ngtcp2, programIn: fromTree.programIn },
  find: fromTree.find,
  ensure: fromTree.ensure,
  configure,
  parseLogLine: parseNgtcp2Line,
};

/** The program does not say its version; Debian's list of changes begins with it. */
async function ofTree(tree: DebianTree, context: SetupContext): Promise<ServerProgram> {
  const command = tree.command(program);
  const [first = '', ...rest] = command;
  const { exitCode, stdout } = await context.run(first, [...rest, '--help'], { timeoutMs });
  const version = await versionOf(tree.file(changesFile));
  if (exitCode !== 0 || version === undefined) throw doesNotStart('ngtcp2 server', tree, stdout);
  const log = moduleFile('./ngtcp2-log.ts', import.meta.url);
  return { command: [process.execPath, log, ...command], version, place: tree.directory };
}

/** Undefined for a list that is not there or begins otherwise. */
async function versionOf(changes: string): Promise<string | undefined> {
  const packed = await readFile(changes).catch(() => undefined);
  if (packed === undefined) return undefined;
  const text = gunzipSync(packed, { maxOutputLength: maxChangesBytes }).toString('utf8');
  return /^ngtcp2 \((\d+\.\d+\.\d+)/.exec(text)?.[1];
}

async function configure({
  options,
  port,
  certificates,
  quicCongestionControl,
}: ServerLayout): Promise<ServerLaunch> {
  const folder = await oneFolder(options);
  const typesFile = path.join(options.workDir, 'mime.types');
  const types = Object.entries(contentTypes).map(
    ([ending, type]) => `${type.replace(/;.*/, '')} ${ending}\n`,
  );
  await writeFile(typesFile, types.join(''));
  const [first] = certificates;
  const words = ['--no-quic-dump', '--no-http-dump', `--cc=${quicCongestionControl}`, '-d', folder];
  // `::` would be a socket of IPv6 alone.
  const address = options.address === anyAddress ? '*' : options.address;
  const place = [address, String(port), first?.keyFile ?? '', first?.certificateFile ?? ''];
  return { args: [...words, `--mime-types-file=${typesFile}`, ...place], logsToOutput: true };
}

/** The files of all hosts by links in one folder. @throws H2h3Error `unsupported` where two have one name */
async function oneFolder({ roots, workDir }: ServerLayout['options']): Promise<string> {
  const folder = path.join(workDir, 'files');
  await mkdir(folder, { recursive: true });
  for (const { directory } of roots)
    for (const name of await readdir(directory))
      await symlink(path.join(directory, name), path.join(folder, name)).catch((thrown: unknown) => {
        if (!hasErrno(thrown, 'EEXIST')) throw thrown;
        throw new H2h3Error(
          'unsupported',
          `ngtcp2’s server has one folder, and two hosts have a file ${name}`,
        );
      });
  return folder;
}

const lineSchema = z.object({
  startEpochMs: z.number(),
  durationMs: z.number(),
  port: z.string(),
  headers: z.record(z.string(), z.string()),
  isWhole: z.boolean(),
});

/** One line of `ngtcp2-log.ts`; undefined for one that is no entry. It counts no bytes: an answer whose end was sent has what it announced. */
export function parseNgtcp2Line(line: string): ServerLogEntry | undefined {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { startEpochMs, durationMs, port, headers, isWhole } = parsed.data;
  const { announcedBytes = 0 } = announcedOf(headers['content-length']);
  const method = headers[':method'] ?? '';
  return {
    ...askedOf({
      host: headers[':authority'] ?? '',
      uri: headers[':path'] ?? '',
      method,
      protocol: 'h3',
      port,
    }),
    status: Number(headers[':status'] ?? 0),
    bytes: isWhole && method !== 'HEAD' ? announcedBytes : 0,
    ...announcedOf(headers['content-length']),
    startEpochMs,
    durationMs,
  };
}
