import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { announcedOf, askedOf, jsonLogFormat } from './access-log.ts';

/** Of the access log, in the syntax of `log_format`. */
export const nginxLogFormat = jsonLogFormat([
  ['ts', '$msec'],
  ['protocol', '"$server_protocol"'],
  ['method', '"$request_method"'],
  ['host', '"$host"'],
  ['uri', '"$request_uri"'],
  ['duration', '$request_time'],
  ['bytes', '$body_bytes_sent'],
  ['announced', '"$sent_http_content_length"'],
  ['status', '$status'],
  ['client', '"$remote_addr"'],
  ['port', '"$remote_port"'],
  ['session', '"$ssl_session_reused"'],
  ['cipher', '"$ssl_cipher"'],
  ['early', '"$ssl_early_data"'],
  ['group', '"$ssl_curve"'],
  ['priority', '"$http_priority"'],
]);

const lineSchema = z.object({
  /** Epoch seconds at which the entry was written, that is at the request's end. */
  ts: z.number(),
  protocol: z.string(),
  method: z.string(),
  host: z.string(),
  uri: z.string(),
  /** Seconds. */
  duration: z.number(),
  bytes: z.number(),
  announced: z.string(),
  status: z.number(),
  client: z.string().optional(),
  port: z.string(),
  /** `r`: the TLS session was taken up again; `.`: not. */
  session: z.string(),
  /** Empty without TLS. */
  cipher: z.string(),
  /** `1`: it came as early data. */
  early: z.string(),
  /** Of the key exchange; empty without TLS. */
  group: z.string(),
  /** Empty where the request had none. */
  priority: z.string().optional(),
});

/** One line of the access log in the format above. */
export function parseNginxLine(line: string): ServerLogEntry | undefined {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { ts, duration, bytes, announced, status, session, cipher, early, group } = parsed.data;
  const asked = askedOf(parsed.data);
  return {
    ...asked,
    status,
    bytes,
    ...announcedOf(announced),
    // A body without an announced length goes in chunks or frames, whose heads are counted, but over HTTP/2.
    ...(asked.protocol !== 'h2' && announced === '' ? { isUpperBound: true } : {}),
    startEpochMs: (ts - duration) * 1000,
    durationMs: duration * 1000,
    ...(cipher === '' ? {} : { cipher }),
    ...(group === '' ? {} : { keyExchange: group }),
    ...(session === 'r' || session === '.' ? { resumed: session === 'r', earlyData: early === '1' } : {}),
  };
}
