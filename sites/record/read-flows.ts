import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { minOf } from '../../src/core/model/min-of.ts';
import { headerOf, leadsOn } from '../archive/headers.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';
import { serverPauses } from './server-pauses.ts';

const headers = z.array(z.tuple([z.string(), z.string()]));
/** SHA-256 in hexadecimal. */
const bodyName = z.string().regex(/^[0-9a-f]{64}$/);
const flowSchema = z.object({
  method: z.string(),
  scheme: z.enum(['http', 'https']),
  host: z.string(),
  port: z.number(),
  target: z.string(),
  /** `Sec-Fetch-Site` of the request; empty where there is none. */
  fetchSite: z.string(),
  range: z.string(),
  vary: z.record(z.string(), z.string()),
  requestType: z.string(),
  requestBody: bodyName.nullable(),
  /** 0: no answer. */
  status: z.number(),
  failure: z.enum(['aborted', 'broken']).nullable(),
  reason: z.string(),
  headers,
  hints: z.array(headers),
  body: bodyName.nullable(),
  pieces: z.array(z.tuple([z.number(), z.number()])),
  startEpochMs: z.number(),
  answerEpochMs: z.number(),
  /** From the request, with the way there and back. */
  waitMs: z.number(),
  /** What the connection took to come about; absent: it came from nowhere. */
  connectMs: z.number().optional(),
  /** Address of the other end; empty: there was none. */
  server: z.string().default(''),
});
const unreachableSchema = z.object({ unreachable: z.string(), port: z.number(), reason: z.string() });
type FlowLine = z.infer<typeof flowSchema>;

/** An exchange as the proxy saw it. */
export interface Flow {
  readonly url: string;
  /** Whether the browser says that a page or a worker of a page asked for it. */
  readonly ofPage: boolean;
  readonly startEpochMs: number;
  readonly exchange: RecordedExchange;
}

export interface Flows {
  readonly flows: readonly Flow[];
  /** Servers that could not be reached, as `https://host:port/`. */
  readonly unreachable: readonly { readonly url: string; readonly reason: string }[];
}

/** @throws H2h3Error `bad-input` */
function parseLine(line: string): z.infer<typeof unreachableSchema> | FlowLine {
  try {
    return z.union([unreachableSchema, flowSchema]).parse(JSON.parse(line));
  } catch (cause) {
    throw new H2h3Error('bad-input', 'what the recording proxy wrote cannot be read', {
      context: { got: line.slice(0, 200) },
      cause,
    });
  }
}

/** Reads what the add-on wrote into `directory`; a last line that was cut off is left out. */
export async function readFlows(directory: string): Promise<Flows> {
  const text = await readFile(join(directory, 'flows.jsonl'), 'utf8');
  const lines = text.split('\n').slice(0, text.endsWith('\n') ? undefined : -1);
  const parsed = lines.filter((line) => line !== '').map((line) => parseLine(line));
  const unreachable = parsed.flatMap((line) =>
    'unreachable' in line
      ? [{ url: `https://${line.unreachable}${portOf('https', line.port)}/`, reason: line.reason }]
      : [],
  );
  const ofFlows = parsed.filter((line): line is FlowLine => !('unreachable' in line));
  const firstMs = minOf(ofFlows.map((flow) => flow.startEpochMs));
  const pauses = serverPauses(ofFlows.map((flow) => ({ ...flow, isEventStream: isEventStream(flow) })));
  const roundTrips = minConnects(ofFlows);
  const flows = await Promise.all(
    ofFlows.map((flow, index) =>
      flowOf(
        { ...flow, waitMs: flow.waitMs - (roundTrips.get(flow.server) ?? 0) },
        firstMs,
        pauses[index] ?? [],
        directory,
      ),
    ),
  );
  return { flows, unreachable };
}

/**
 * The way to each server and back. The least of its connections says it: what another took longer, this machine took, and
 * would be missing from the time of every answer that came over it.
 */
function minConnects(flows: readonly FlowLine[]): ReadonlyMap<string, number> {
  const least = new Map<string, number>();
  for (const { server, connectMs } of flows)
    if (connectMs !== undefined) least.set(server, Math.min(connectMs, least.get(server) ?? Infinity));
  return least;
}

async function flowOf(
  flow: FlowLine,
  firstMs: number,
  pauses: readonly [number, number][],
  directory: string,
): Promise<Flow> {
  const body = (name: string | null): Promise<Uint8Array | null> =>
    name === null ? Promise.resolve(null) : readBody(join(directory, 'bodies', name));
  const [path = '/', ...query] = flow.target.split('?');
  return {
    url: `${flow.scheme}://${flow.host}${portOf(flow.scheme, flow.port)}${flow.target}`,
    ofPage: !['', 'none'].includes(flow.fetchSite),
    startEpochMs: flow.startEpochMs,
    exchange: {
      entry: {
        method: flow.method,
        scheme: flow.scheme,
        host: flow.host.toLowerCase(),
        port: flow.port,
        path,
        query: query.join('?'),
        ...(flow.target.endsWith('?') && query.length === 1 ? { bareQuery: true as const } : {}),
        range: flow.range,
        vary: flow.vary,
        requestType: flow.requestType,
        status: flow.status,
        failure: flow.failure === 'aborted' && leadsOn(flow) ? null : flow.failure,
        headers: flow.headers,
        hints: flow.hints,
        pauses: [...pauses],
        startMs: flow.startEpochMs - firstMs,
        waitMs: Math.max(0, flow.waitMs),
      },
      requestBody: await body(flow.requestBody),
      body: await body(flow.body),
    },
  };
}

/** @throws H2h3Error `bad-input` */
async function readBody(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new H2h3Error('bad-input', `the recording proxy left no body ${file}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function portOf(scheme: 'http' | 'https', port: number): string {
  return port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`;
}

function isEventStream({ headers: fields }: FlowLine): boolean {
  return headerOf(fields, 'content-type')?.includes('text/event-stream') ?? false;
}
