import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { ownEntry } from '../../src/core/model/own-entry.ts';
import { logLines } from './log-lines.ts';
import type { Probe, ProbeYield } from './probe.ts';

const kept = 'net-log.json.gz';
/** Chromium itself keeps to less; a log of something else is not read for ever. */
const maxBytes = 256_000_000;

/** Counters by the type of event that they count (Chromium, net/log/net_log_event_type_list.h). */
const countedTypes: Readonly<Record<string, string>> = {
  QUIC_SESSION_PACKET_RECEIVED: 'netLogQuicPacketsReceived',
  QUIC_SESSION_PACKET_SENT: 'netLogQuicPacketsSent',
  QUIC_SESSION_PACKET_LOST: 'netLogQuicPacketsLost',
  QUIC_SESSION_ACK_FRAME_SENT: 'netLogQuicAcksSent',
  QUIC_SESSION_BLOCKED_FRAME_RECEIVED: 'netLogQuicBlockedFrames',
  HTTP2_SESSION_RECV_DATA: 'netLogHttp2DataFrames',
  HTTP2_SESSION_SEND_WINDOW_UPDATE: 'netLogHttp2WindowUpdates',
  TCP_CONNECT: 'netLogTcpConnects',
  SSL_CONNECT: 'netLogTlsHandshakes',
  QUIC_SESSION: 'netLogQuicSessions',
};

/** Chromium’s own account of its connections: https://netlog-viewer.appspot.com opens it. */
export const netLog: Probe = {
  id: 'net-log',
  title: 'Chromium’s net log: packets, frames, acknowledgements and handshakes as the browser sees them',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  keepsTraffic: true,
  onThisMachine: true,
  launch: { logs: ['netLog'] },
  setup: ({ launch, trialDir }) => {
    const file = launch.logs?.netLog;
    if (launch.client.family !== 'chromium' || file === undefined)
      throw new H2h3Error('unsupported', `${launch.client.name} writes no net log: only Chromium’s kin do`);
    return { teardown: () => keep(file, trialDir) };
  },
};

async function keep(file: string, trialDir: string): Promise<ProbeYield> {
  if (!existsSync(file)) return { warnings: ['the browser wrote no net log'] };
  const { size } = await stat(file);
  const end = maxBytes - 1;
  const { counters, isWhole } = await readNetLog(logLines(file, maxBytes));
  await pipeline(createReadStream(file, { end }), createGzip(), createWriteStream(join(trialDir, kept)));
  const warnings = [
    ...(size > maxBytes ? [`a net log of ${size} bytes was read up to ${maxBytes}`] : []),
    ...(isWhole ? [] : ['the net log was cut short: its last events are missing']),
  ];
  return { artifacts: { netLog: kept }, counters, warnings };
}

/**
 * Counts events by type. The log is one JSON object with its constants, by which types have numbers, on one of the first
 * lines and each event on a line of its own; a line that cannot be read is left out.
 */
export async function readNetLog(
  lines: AsyncIterable<string>,
): Promise<{ readonly counters: Record<string, number>; readonly isWhole: boolean }> {
  const counters: Record<string, number> = {};
  let nameOf: ReadonlyMap<number, string> | null = null;
  let last = '';
  for await (const line of lines) {
    if (line.trim() !== '') last = line.trim();
    if (nameOf === null) {
      nameOf = typesIn(line);
      continue;
    }
    // What was cut short is no event.
    const event = jsonOf(line.replace(/,\s*$/, '')) as { type?: unknown; phase?: unknown } | null | undefined;
    const name = typeof event?.type === 'number' ? nameOf.get(event.type) : undefined;
    // Phase 2 is the end of what began with phase 1.
    if (name === undefined || event?.phase === phaseEnd) continue;
    const counter = ownEntry(countedTypes, name);
    if (counter !== undefined) counters[counter] = (counters[counter] ?? 0) + 1;
  }
  return { counters, isWhole: nameOf !== null && last.endsWith('}') && !last.endsWith('},') };
}

const phaseEnd = 2;

function typesIn(line: string): ReadonlyMap<number, string> | null {
  const text = line.trim().replace(/,$/, '');
  const whole = text.startsWith('{"constants":') ? jsonOf(`${text}}`) : null;
  const types = (whole as { constants?: { logEventTypes?: unknown } } | null | undefined)?.constants
    ?.logEventTypes;
  if (typeof types !== 'object' || types === null) return null;
  return new Map(
    Object.entries(types).flatMap(([name, number]) => (typeof number === 'number' ? [[number, name]] : [])),
  );
}
