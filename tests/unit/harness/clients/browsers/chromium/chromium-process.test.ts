import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../../../harness/clients/client.ts';
import { ChromiumProcess } from '../../../../../../harness/clients/browsers/chromium/chromium-process.ts';
import { tempFolder } from '../../../../../support/temp-folder.ts';

test('what a browser said last is kept without its complaints about a machine without D-Bus', async (t) => {
  const executablePath = join(tempFolder(t), 'browser');
  const dbus = '[1:2:1122/105654.124436:ERROR:dbus/bus.cc:405] Failed to connect to the bus: none';
  writeFileSync(
    executablePath,
    `#!/bin/sh
for line in 1 2 3 4 5 6 7 8 9 0; do echo '${dbus}' >&2; done
echo '[1:2:1122/1.2:ERROR:net/quic.cc:5] handshake failed' >&2
printf '%s' '[1:2:1122/105654.1:ERROR:db' >&2
sleep 0.1
printf '%s' 'us/bus.cc:405] half a line' >&2
`,
  );
  chmodSync(executablePath, 0o755);
  const client: ClientIdentity = {
    id: 'embedded',
    family: 'chromium',
    name: 'Chromium',
    version: '153',
    build: 'headless-shell',
    source: 'embedded',
    executablePath,
    headed: false,
    environment: {},
  };
  const browser = new ChromiumProcess(client, [], {});
  browser.write.on('error', () => undefined);
  await browser.ended;
  assert.equal(browser.stderrTail(), '[1:2:1122/1.2:ERROR:net/quic.cc:5] handshake failed');
});
