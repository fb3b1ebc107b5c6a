import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FarHost } from '../../../../harness/hosts/far-host.ts';
import { FarLogs, logNames, logPart } from '../../../../harness/hosts/far-logs.ts';
import { partBytes } from '../../../../harness/hosts/far-files.ts';
import { farCalls } from '../../../../harness/hosts/far-protocol.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What answers as the far end does, out of a folder. */
const hostOf = (folder: string): FarHost =>
  ({
    ask: (call: string, asked: { readonly name: string; readonly offsetBytes: number }) =>
      Promise.resolve({
        answered:
          call === 'logs'
            ? { names: logNames(folder) }
            : { base64: logPart(folder, asked.name, asked.offsetBytes).toString('base64') },
      }),
  }) as unknown as FarHost;

test('logs of connections that began since the mark are brought whole, and no others', async (t) => {
  const folder = tempFolder(t);
  const there = join(folder, 'there');
  const here = join(folder, 'here');
  const logs = new FarLogs(0, hostOf(there), here);
  await logs.mark();
  await logs.fetch();
  assert.deepEqual(readdirSync(here), []);
  mkdirSync(there);
  writeFileSync(join(there, 'a_server.sqlog'), 'earlier');
  await logs.mark();
  const long = Buffer.alloc(2 * partBytes + 5, 7);
  writeFileSync(join(there, 'b_server.sqlog'), long);
  writeFileSync(join(there, 'c_server.qlog'), Buffer.alloc(partBytes, 1));
  writeFileSync(join(there, 'notes.txt'), 'no log');
  await logs.fetch();
  assert.deepEqual(readdirSync(here).toSorted(), ['b_server.sqlog', 'c_server.qlog']);
  assert.ok(readFileSync(join(here, 'b_server.sqlog')).equals(long));
  assert.equal(readFileSync(join(here, 'c_server.qlog')).length, partBytes);
  assert.ok(!existsSync(join(here, 'a_server.sqlog')));
});

test('the name of a log leads to no other folder', () => {
  const { answers } = farCalls.logs;
  assert.ok(answers.safeParse({ names: ['0123abcd_server.sqlog', 'x.qlog'] }).success);
  for (const name of [
    '../a.sqlog',
    '/etc/a.qlog',
    'a/b.qlog',
    '.qlog',
    'a.txt',
    'a.qlog\u0000',
    '-a.qlog',
    '',
  ])
    assert.ok(!answers.safeParse({ names: [name] }).success, name);
});
