import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverProvider } from '../../../../harness/servers/server-kit.ts';
import { serverSoftware } from '../../../../harness/servers/registry.ts';
import type { ServerStartOptions } from '../../../../harness/servers/server.ts';
import type { SetupContext } from '../../../../harness/tools/setup-context.ts';

test('a server that hands out files alone refuses a host that a program answers, before it is started', async () => {
  const filesAlone = serverSoftware.filter(({ scope }) => scope === 'h3-downloads');
  assert.deepEqual(
    filesAlone.map(({ id }) => id),
    ['ngtcp2', 'tquic'],
  );
  const roots = [
    { host: 'a.test', directory: '/' },
    { host: 'b.test', directory: '/', origin: {} },
  ];
  for (const software of filesAlone) {
    const ensure = () => Promise.resolve({ command: ['false'], version: '1', place: '' });
    const provider = serverProvider({ ...software, ensure }, {} as SetupContext);
    await assert.rejects(provider.start({ roots } as unknown as ServerStartOptions), {
      code: 'unsupported',
      message: `${software.name} hands out files, and b.test is answered by a program`,
    });
  }
});
