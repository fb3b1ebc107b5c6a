import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import { endpoint } from '../../src/core/model/wire-address.ts';
import { fromBuilt, runBuildStep, type ProgramSource } from '../tools/built-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { announcedOf, connectionOf } from './access-log.ts';
import { contentTypes } from './content-types.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';

const sourceDir = fileURLToPath(new URL('tquic-origin/', import.meta.url));
const versionLimitMs = 20_000;
/** As long as the other servers here wait for the silent. */
const idleMs = 30_000;

/** The version of tquic stands in `tquic-origin/Cargo.toml`. */
const program: ProgramSource = {
  name: 'tquic-origin',
  sourceDir,
  needs: ['cargo', 'cmake', 'cc', 'c++'],
  patience: 'three to ten minutes',
  build: async (target, context) => {
    const buildDir = path.join(target, 'build');
    const manifest = path.join(sourceDir, 'Cargo.toml');
    const words = ['cargo', 'build', '--release', '--locked', '--quiet', '--manifest-path', manifest];
    await runBuildStep([...words, '--target-dir', buildDir], {}, context);
    await rename(path.join(buildDir, 'release', 'tquic-origin'), path.join(target, 'tquic-origin'));
    await rm(buildDir, { recursive: true });
  },
};

/** A program around Tencent's library, the one sender here with BBRv3 and Copa. */
export const tquic: ServerSoftware = {
  id: 'tquic',
  name: serverNames.tquic,
  title:
    'tquic: HTTP/3 alone, downloads of command-line clients, CUBIC or BBR for QUIC, and by its authors’ word experimental BBRv3 and Copa',
  quicCongestionControls: ['cubic', 'bbr', 'bbr3', 'copa'],
  tcpCongestion: { notInheritedReason: () => 'it has no TCP' },
  scope: 'h3-downloads',
  applies: ['initialwindow'],
  builtWhenNamed: true,
  servesFiles: true,
  ...fromBuilt(program, programAt),
  configure,
  parseLogLine: parseTquicLine,
};

async function programAt(file: string, context: SetupContext): Promise<ServerProgram> {
  const { stdout } = await context.run(file, ['--version'], { timeoutMs: versionLimitMs });
  return { command: [file], version: stdout.trim().replace('tquic-origin ', ''), place: file };
}

async function configure(layout: ServerLayout): Promise<ServerLaunch> {
  const { options, port, certificates, accessLogFile, quicCongestionControl } = layout;
  const { roots, address, workDir } = options;
  const settings = {
    address: endpoint({ address, port }),
    ...certificates[0],
    accessLog: accessLogFile,
    congestionControl: quicCongestionControl,
    initialWindowPackets: options.settings?.initialwindow?.packets,
    idleMs,
    hosts: Object.fromEntries(roots.map(({ host, directory }) => [host.toLowerCase(), directory])),
    contentTypes,
  };
  const file = path.join(workDir, 'tquic-origin.json');
  await writeFile(file, JSON.stringify(settings));
  return { args: [file] };
}

const lineSchema = z.object({
  startEpochMs: z.number(),
  durationMs: z.number(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  status: z.number(),
  /** Of the body, handed to QUIC. */
  bytes: z.number(),
  announced: z.number(),
  port: z.string(),
});

/** One line of its access log; undefined for a line that is none (torn by a full disk). */
export function parseTquicLine(line: string): ServerLogEntry | undefined {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { announced, port, ...entry } = parsed.data;
  return { ...entry, protocol: 'h3', ...announcedOf(String(announced)), ...connectionOf(port) };
}
