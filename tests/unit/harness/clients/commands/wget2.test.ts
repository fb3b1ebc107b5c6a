import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandRequest } from '../../../../../harness/clients/commands/command-client.ts';
import { wget2 } from '../../../../../harness/clients/commands/wget2.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const url = 'https://files.h2h3.test:8443/1.bin?stream=0';

function request(scratchDir: string): CommandRequest {
  return {
    protocol: 'h2' as const,
    urls: [url],
    spkiHash: 'key=',
    flags: [],
    scratchDir,
    server: { address: '10.0.0.2', port: 8443 },
    limitSeconds: 12.5,
  };
}

test('the name leads to the server by a file of hosts in its own folder', (t) => {
  const asked = request(tempFolder(t));
  assert.deepEqual(wget2.files?.(asked), { hosts: '10.0.0.2 files.h2h3.test\n' });
  assert.equal(wget2.environment?.(asked)['NSS_WRAPPER_HOSTS'], path.join(asked.scratchDir, 'hosts'));
  assert.deepEqual(wget2.environment?.({ ...asked, server: null }), {});
  assert.ok(!wget2.arguments({ ...asked, spkiHash: '' }).includes('--no-check-certificate'));
});

test('its statistics make one transfer, and what it does not tell of counts as connecting', (t) => {
  const asked = request(tempFolder(t));
  const [lost] = wget2.transfers('', asked, 500);
  assert.match(lost?.error ?? '', /no answer/);
  const head = 'ID,ParentID,URL,Status,Link,Method,Size,SizeDecompressed,TransferTime,ResponseTime,Encoding';
  const line = `1,0,${url},200,1,1,10000000,10000000,109,8,0,0,1795322439,application/octet-stream`;
  writeFileSync(path.join(asked.scratchDir, 'site.csv'), `${head}\n${line}\n`);
  writeFileSync(path.join(asked.scratchDir, 'tls.csv'), 'files.h2h3.test,5,0,1,0,h2,1,1,7\n');
  const [whole] = wget2.transfers('', asked, 500);
  assert.deepEqual(
    [whole?.status, whole?.protocol, whole?.bodyBytes, whole?.mimeType, whole?.error],
    [200, 'h2', 10_000_000, 'application/octet-stream', undefined],
  );
  assert.deepEqual([whole?.connectEndMs, whole?.responseStartMs, whole?.endMs], [391, 399, 500]);
});

test('a build without HTTP/2 says so', () => {
  assert.deepEqual(wget2.parseVersion('GNU Wget2 2.2.0 - m\n+iconv +http2 +gpgme'), {
    version: '2.2.0',
    protocols: ['h1', 'h2'],
  });
  assert.deepEqual(wget2.parseVersion('GNU Wget2 2.2.0 - m\n+iconv -http2').protocols, ['h1']);
});
