import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { readFlows } from '../../sites/record/read-flows.ts';
import { recordingProxy } from '../support/recording-proxy.ts';
import { tempFolder } from '../support/temp-folder.ts';

const pieceCount = 10;
const pauseMs = 60;
const largeBytes = 300_000;
/** Enough to keep the proxy at work for as long as the other answer trickles. */
const largeCount = 60;
/** One after the other: a proxy that takes pauses away does so each time, a machine that reads pieces late not in all of them. */
const rounds = 4;

async function trickle(response: ServerResponse): Promise<void> {
  for (let piece = 0; piece < pieceCount; piece++) {
    response.write('a little ');
    await wait(pauseMs);
  }
  response.end();
}

test('pauses of an answer that trickles are its server’s, while the proxy is at work on the rest of the page', async (t) => {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  const mitmdump = await ensureMitmdump(setup).catch((thrown: unknown) => String(thrown));
  if (typeof mitmdump === 'string') return t.skip(mitmdump);
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (url?.startsWith('/trickle') === true) void trickle(response);
    else response.end(Buffer.alloc(largeBytes, 'a'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port: originPort } = server.address() as AddressInfo;
  const directory = tempFolder(t);
  const proxy = await recordingProxy({
    host: 'busy.test',
    originPort,
    mitmdump,
    directory,
    limitMs: 120_000,
  });
  const trickles = Array.from({ length: rounds }, (_, round) => `/trickle${round}`);
  try {
    for (const [round, trickling] of trickles.entries()) {
      const large = Array.from({ length: largeCount }, (_, index) => `/${round}/${index}`);
      const bodies = await Promise.all([trickling, ...large].map((path) => proxy.ask(path)));
      assert.deepEqual(
        bodies.map(({ length }) => length),
        [pieceCount * 9, ...large.map(() => largeBytes)],
      );
    }
  } finally {
    await proxy.stop();
  }
  const { flows } = await readFlows(directory);
  const pauses = trickles.map(
    (path) => flows.find(({ exchange: { entry } }) => entry.path === path)?.exchange.entry.pauses ?? [],
  );
  t.diagnostic(pauses.map(({ length }) => length).join(', '));
  // One may be lost to a machine that is at work on something else.
  assert.ok(
    pauses.some(({ length }) => length >= pieceCount - 2),
    JSON.stringify(pauses),
  );
});
