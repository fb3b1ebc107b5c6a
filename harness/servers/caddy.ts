import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { serverNames } from '../../src/core/model/server-names.ts';
import {
  caddyAt,
  ensureCaddy,
  isVersionAtLeast,
  listCaddies,
  type CaddyBinary,
} from '../tools/caddy-binary.ts';
import { versionedPrograms } from '../tools/versions/catalogue.ts';
import { wantedIsAtLeast } from '../tools/versions/program-name.ts';
import { announcedOf, askedOf } from './access-log.ts';
import { caddyConfig } from './caddy-config.ts';
import { quicGoEcn } from './quic-go-ecn.ts';
import type { ServerLaunch, ServerLayout, ServerProgram, ServerSoftware } from './server-software.ts';

/** The first Caddy that takes listening sockets over from the process that starts it. */
const oldestWithInheritedSockets = '2.10.0';

/** The first Caddy whose access log can have a field from before the answer. */
const firstWithEarlyFields = '2.11.0';
/** The first Caddy that can be told to take no early data. */
const oldestWithEarlyDataSwitch = '2.11.0';
/** The first Caddy whose quic-go obeys priorities. */
const firstWithPriorities = '2.11';
/** The first Caddy of a Go that has X25519MLKEM768 (1.24); older ones know no such curve either. */
const firstWithHybrid = '2.10';
const lacksHybrid = `Caddy has no X25519MLKEM768 before ${firstWithHybrid}`;

/** Caddy: H1, H2 and H3 on one port, static files. */
export const caddy: ServerSoftware = {
  id: 'caddy',
  name: serverNames.caddy,
  title: 'Caddy (quic-go): HTTP/1.1, HTTP/2 and HTTP/3 on one port, New Reno for QUIC',
  // quic-go has one sender, New Reno (`NewCubicSender` with `reno` true), and no switch for another.
  quicCongestionControls: ['reno'],
  tcpCongestion: {
    notInheritedReason: ({ version }) =>
      isVersionAtLeast(version, oldestWithInheritedSockets)
        ? null
        : `Caddy ${version} cannot take a socket over`,
  },
  applies: ['tls', 'keyexchange'],
  // `initialCongestionWindow` of quic-go’s `internal/congestion`.
  lacks: { initialwindow: 'begins with 32 packets over QUIC, which is a constant of quic-go' },
  // Go's TLS over TCP has no early data.
  resumption: { earlyDataOver: ['h3'] },
  // quic-go obeys them from 0.62 on.
  obeysPriorities: ['h3'],
  ecnOverQuic: 'unless-off',
  servesFiles: true,
  versions: {
    program: versionedPrograms.caddy,
    differs: (wanted) => ({
      ...(wantedIsAtLeast(wanted, oldestWithEarlyDataSwitch) ? {} : { resumption: undefined }),
      ...(wantedIsAtLeast(wanted, firstWithPriorities) ? {} : { obeysPriorities: [] }),
      ...(wantedIsAtLeast(wanted, firstWithHybrid) ? {} : { lacksHybrid }),
    }),
    programIn: async (directory, context) =>
      programOf(await caddyAt(path.join(directory, versionedPrograms.caddy.file), context)),
  },
  find: async (context) => {
    const usable = (await listCaddies(context)).find(({ newEnough }) => newEnough);
    return usable === undefined ? undefined : programOf(usable);
  },
  ensure: async (context) => programOf(await ensureCaddy(context)),
  configure,
  parseLogLine: parseCaddyLine,
  warningsIn,
};

function programOf({ path: file, version }: CaddyBinary): ServerProgram {
  const isNewEnough = isVersionAtLeast(version, firstWithHybrid);
  return { command: [file], version, place: file, ...(isNewEnough ? {} : { lacksHybrid }) };
}

async function configure(layout: ServerLayout): Promise<ServerLaunch> {
  const { options, port, accessLogFile, sockets, certificates, inheritedTcpSocket, program } = layout;
  const { tls, keyexchange, resume, ecn } = options.settings ?? {};
  const config = caddyConfig({
    roots: options.roots,
    sockets,
    port,
    certificates,
    accessLogFile,
    inheritedTcpSocket,
    address: options.address,
    ...(tls !== undefined && { tls }),
    ...(keyexchange !== undefined && { keyExchange: keyexchange }),
    logsBeginnings: isVersionAtLeast(program.version, firstWithEarlyFields),
    ...(resume !== undefined && {
      idleMs: resume.endsIdleAfterMs,
      ...(isVersionAtLeast(program.version, oldestWithEarlyDataSwitch) && { earlyData: resume.earlyData }),
    }),
    storageDir: path.join(options.workDir, 'caddy-storage'),
  });
  const file = path.join(options.workDir, 'caddy.json');
  await writeFile(file, JSON.stringify(config, undefined, 1));
  return { args: ['run', '--config', file], ...quicGoEcn(ecn) };
}

/** What Caddy writes for each response that ended (https://caddyserver.com/docs/logging#json-logs). */
const caddyLineSchema = z.object({
  /** Epoch seconds at which the entry was written, that is at the response's end. */
  ts: z.number(),
  request: z.object({
    proto: z.string(),
    method: z.string(),
    host: z.string(),
    uri: z.string(),
    /** Empty behind a proxy of ours, which speaks over a Unix socket. */
    remote_ip: z.string().optional(),
    remote_port: z.string().optional(),
    tls: z.object({ resumed: z.boolean() }).optional(),
  }),
  /** Seconds; 0 where the answer was cut off. */
  duration: z.number(),
  /** Epoch ms at which the request was there. */
  began: z.coerce.number().optional(),
  size: z.number(),
  /** Of the answer's header; what the placeholder was replaced by. */
  announced: z.string().optional(),
  /** Whether the handshake had ended before the request came; absent unless that was asked for. */
  handshaken: z.enum(['yes', 'no']).optional(),
  /** Of the request's header, likewise. */
  priority: z.string().optional(),
  status: z.number(),
});

/** One line of Caddy's access log; undefined for a line that is none (torn by a full disk). */
export function parseCaddyLine(line: string): ServerLogEntry | undefined {
  const parsed = caddyLineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { ts, request, duration, began, size, announced, handshaken, priority, status } = parsed.data;
  const endEpochMs = ts * 1000;
  const startEpochMs = duration === 0 && began !== undefined ? began : endEpochMs - duration * 1000;
  return {
    ...askedOf({
      ...request,
      protocol: request.proto,
      client: request.remote_ip,
      port: request.remote_port,
      priority,
    }),
    status,
    bytes: size,
    ...announcedOf(announced),
    startEpochMs,
    durationMs: endEpochMs - startEpochMs,
    ...(request.tls === undefined ? {} : { resumed: request.tls.resumed }),
    ...(handshaken === undefined ? {} : { earlyData: handshaken === 'no' }),
  };
}

/** What Caddy itself warns of at its start; quic-go says there when the kernel keeps UDP buffers small. */
function warningsIn(log: string): string[] {
  const warning = /failed to sufficiently increase (?:receive|send) buffer size[^"\n]*/g;
  return [...new Set(log.match(warning) ?? [])].map(
    (text) => `Caddy: ${text}; packets may be lost in the machine (sysctl net.core.rmem_max, wmem_max)`,
  );
}
