import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandRequest } from '../../../../../harness/clients/commands/command-client.ts';
import { h2load } from '../../../../../harness/clients/commands/h2load.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const printed = `Application protocol: h2
finished in 79.95ms, 25.01 req/s, 119.36MB/s
requests: 1 total, 1 started, 1 done, 1 succeeded, 0 failed, 0 errored, 0 timeout
traffic: 9.54MB (10006814) total, 212B (212) headers (space savings 67.03%), 9.54MB (10000000) data
                     min         max         mean         sd        +/- sd
time for request:    60.83ms     60.83ms     60.83ms         0us   100.00%
time for connect:     1.40ms      1.40ms      1.40ms         0us   100.00%
time to 1st byte:      900us       900us       900us         0us   100.00%
`;

test('its table of times, its traffic and its log make one transfer', (t) => {
  const scratchDir = tempFolder(t);
  const request: CommandRequest = {
    protocol: 'h2' as const,
    urls: ['https://files.h2h3.test:8443/1.bin'],
    spkiHash: 'key=',
    flags: [],
    server: { address: '10.0.0.2', port: 8443 },
    limitSeconds: 12.5,
    scratchDir,
  };
  const words = h2load.arguments(request);
  assert.ok(words.includes('--connect-to=10.0.0.2:8443') && words.includes('--alpn-list=h2'));
  const [lost] = h2load.transfers(printed, request, 70);
  assert.equal(lost?.status, 0);
  assert.ok(lost.error !== undefined, 'no answer is a failure');
  writeFileSync(path.join(scratchDir, 'h2load.tsv'), '1795322541738645\t200\t60830\n');
  const [whole] = h2load.transfers(printed, request, 70);
  assert.deepEqual(
    [whole?.status, whole?.protocol, whole?.bodyBytes, whole?.headerBytes, whole?.error],
    [200, 'h2', 10_000_000, 212, undefined],
  );
  assert.deepEqual([whole?.connectEndMs, whole?.responseStartMs], [1.4, 0.9]);
  assert.ok(Math.abs((whole?.endMs ?? 0) - 62.23) < 0.01);
  assert.deepEqual(h2load.parseVersion('h2load nghttp2/1.64.0'), {
    version: '1.64.0',
    protocols: ['h1', 'h2'],
  });
});
