import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { takePlace } from '../../../../harness/hosts/far-port.ts';
import { noRoom, requireRoom } from '../../../../harness/hosts/far-room.ts';
import { chooseAnyPort } from '../../../../src/core/system/free-port.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const address = '127.0.0.9';
const skip = process.platform === 'linux' ? false : 'abstract sockets, so Linux only';

test(
  'machine and port are waited for until what is left there has ended, and who keeps them is named',
  { skip },
  async () => {
    const port = await chooseAnyPort();
    const mark = `h2h3-test-${process.pid}`;
    const other = createServer().listen(`\0${mark}`);
    await once(other, 'listening');
    const now = { mark, limitMs: 0 };
    await assert.rejects(takePlace(address, port, now), {
      code: 'unsupported',
      message: 'another run of h2h3 has its servers or clients there',
      next: 'Wait until that has ended, or name another machine.',
    });
    other.close();
    const holder = createServer().listen({ port, host: address });
    await once(holder, 'listening');
    await assert.rejects(takePlace(address, port, now), {
      code: 'unsupported',
      message: new RegExp(`^port ${port} is in use: .* has it$`),
      next: 'Wait until that has ended, or choose another port with --port.',
    });
    const taking = takePlace(address, port, { mark, limitMs: 60_000 });
    holder.close();
    await taking;
  },
);

test('a full disk is told as such, and nothing else is', (t) => {
  const full = noRoom(Object.assign(new Error('write'), { code: 'ENOSPC' }));
  assert.deepEqual([full?.code, full?.message], ['storage', 'nothing more can be written: the disk is full']);
  assert.equal(noRoom(Object.assign(new Error('write'), { code: 'EACCES' })), undefined);
  const folder = tempFolder(t);
  requireRoom(folder);
  assert.throws(() => requireRoom(`${folder}/none`), { code: 'ENOENT' });
});
