/**
 * The last line of defence against orphans: `reaper.ts RUN`, with one JSON line an `EndRequest` on standard input. A shell
 * waits for the run's end and becomes this (`start-reaper.ts`), so that no second Node stays in memory while measuring.
 */
import { createInterface } from 'node:readline';
import { endRun, type EndRequest } from './end-run.ts';

/** A process that the run was just starting has no mark yet; on a busy machine it takes a while to get it. */
const quietMs = 1_000;

const runId = process.argv[2];
if (runId === undefined || runId === '') throw new Error('the run has no id');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const requests: EndRequest[] = [];
for await (const line of createInterface({ input: process.stdin }))
  if (line !== '') requests.push(JSON.parse(line) as EndRequest);
await endRun(runId, requests, { quietMs });
