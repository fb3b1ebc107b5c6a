import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RecordedExchange } from '../archive/write-archive.ts';

const flowSchema = z.object({
  method: z.string(),
  host: z.string(),
  port: z.number(),
  target: z.string(),
  /** `Sec-Fetch-Site` of the request; empty where there is none. */
  fetchSite: z.string(),
  range: z.string(),
  requestBody: z.string().nullable(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().nullable(),
  startEpochMs: z.number(),
  waitMs: z.number(),
});

/** An exchange as the proxy saw it. */
export interface Flow {
  readonly url: string;
  /** Whether the browser says that a page or a worker of a page asked for it. */
  readonly ofPage: boolean;
  readonly exchange: RecordedExchange;
}

/** Reads what the add-on wrote into `directory`; a last line that was cut off is left out. */
export async function readFlows(directory: string): Promise<readonly Flow[]> {
  const text = await readFile(join(directory, 'flows.jsonl'), 'utf8');
  const lines = text.split('\n').slice(0, text.endsWith('\n') ? undefined : -1);
  const flows = lines.filter((line) => line !== '').map((line) => flowSchema.parse(JSON.parse(line)));
  const firstMs = Math.min(...flows.map((flow) => flow.startEpochMs));
  return Promise.all(
    flows.map(async (flow) => {
      const body = (name: string | null): Promise<Uint8Array | null> =>
        name === null ? Promise.resolve(null) : readFile(join(directory, 'bodies', name));
      const [path = '/', ...query] = flow.target.split('?');
      const port = flow.port === 443 ? '' : `:${flow.port}`;
      return {
        url: `https://${flow.host}${port}${flow.target}`,
        ofPage: !['', 'none'].includes(flow.fetchSite),
        exchange: {
          entry: {
            method: flow.method,
            host: flow.host.toLowerCase(),
            path,
            query: query.join('?'),
            range: flow.range,
            status: flow.status,
            headers: flow.headers,
            startMs: flow.startEpochMs - firstMs,
            waitMs: Math.max(0, flow.waitMs),
          },
          requestBody: await body(flow.requestBody),
          body: await body(flow.body),
        },
      };
    }),
  );
}
