import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FarChannel, readAnswer, readFarLine } from '../../../../harness/hosts/far-channel.ts';
import { maxLineBytes } from '../../../../harness/hosts/far-protocol.ts';

interface FarEnd {
  readonly channel: FarChannel;
  /** Requests that came. */
  readonly asked: () => Promise<{ readonly id: number; readonly call: string }[]>;
  readonly say: (line: string) => void;
  readonly end: (code: number) => void;
  readonly died: (readonly [number, string])[];
  readonly killed: () => boolean;
}

/** A channel whose other end is the test. */
function farEnd(): FarEnd {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let isKilled = false;
  const child = Object.assign(new EventEmitter(), {
    stdin,
    stdout,
    stderr,
    kill: () => {
      isKilled = true;
      child.emit('close', null, 'SIGKILL');
      return true;
    },
  });
  let got = '';
  stdin.on('data', (chunk: Buffer) => (got += chunk.toString()));
  stdin.on('end', () => child.emit('close', 0, null));
  const died: (readonly [number, string])[] = [];
  const channel = new FarChannel(child as unknown as ChildProcessWithoutNullStreams, 'lab@far', {
    died: (server, part) => died.push([server, part]),
    progress: () => undefined,
  });
  return {
    channel,
    asked: async () => {
      await sleep(5);
      return got
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { readonly id: number; readonly call: string });
    },
    say: (line) => void stdout.write(`${line}\n`),
    end: (code) => {
      stderr.write('bash: node: command not found\n');
      setImmediate(() => child.emit('close', code, null));
    },
    died,
    killed: () => isKilled,
  };
}

const times = { heardEpochMs: 1000, saidEpochMs: 1000 };

test('an answer reaches who asked, in whatever order answers come', async () => {
  const { channel, asked, say } = farEnd();
  const first = channel.ask('mark', { server: 0 });
  const second = channel.ask('mark', { server: 1 });
  const [one, other] = await asked();
  say(JSON.stringify({ id: other?.id, ...times, answered: { mark: 2 } }));
  say(JSON.stringify({ id: one?.id, ...times, answered: { mark: 1 } }));
  assert.deepEqual([(await first).answered.mark, (await second).answered.mark], [1, 2]);
  await channel.close();
});

test('an error of the other machine has its name, on one line and without what steers a terminal', async () => {
  const { channel, asked, say } = farEnd();
  const asking = channel.ask('mark', { server: 0 });
  const [{ id } = { id: 0 }] = await asked();
  const error = {
    code: 'usage',
    message: `Port 8443\nis in use \u001b]0;x\u0007${'y'.repeat(2000)}`,
    next: 'Choose another.',
  };
  say(JSON.stringify({ id, ...times, error }));
  await assert.rejects(asking, ({ code, message, next }: { code: string; message: string; next: string }) => {
    assert.equal(code, 'usage');
    assert.match(message, /^on lab@far: Port 8443 is in use \\u001b/);
    assert.ok(message.length < 700);
    assert.equal(next, 'There: Choose another.');
    return true;
  });
  await channel.close();
});

test('what no h2h3 says ends the connection and everything that was asked', async () => {
  const hostile = [
    'no JSON',
    '{"id":0}',
    '{"id":99,"heardEpochMs":1,"saidEpochMs":1,"answered":{}}',
    '{"id":0,"heardEpochMs":1,"saidEpochMs":1,"error":{"code":"interrupted","message":"x"}}',
    '{"event":"run","command":"reboot"}',
    '['.repeat(100_000),
  ];
  for (const line of hostile) {
    const { channel, asked, say, killed } = farEnd();
    const asking = channel.ask('mark', { server: 0 });
    await asked();
    say(line);
    await assert.rejects(asking, { code: 'bad-input' }, line.slice(0, 80));
    assert.equal(channel.lost()?.code, 'bad-input', line.slice(0, 80));
    assert.ok(killed());
    await assert.rejects(channel.ask('ping', {}), { code: 'bad-input' });
  }
});

test('an answer that is none fails who asked, and all else goes on', async () => {
  const lies: readonly unknown[] = [{ mark: -1 }, { mark: 1, more: 1 }, { mark: 'one' }, null, 'x', []];
  const { channel, asked, say, killed } = farEnd();
  for (const answered of lies) {
    const believed = channel.ask('mark', { server: 1 });
    const asking = channel.ask('mark', { server: 0 });
    const [one, other] = (await asked()).slice(-2);
    say(JSON.stringify({ id: other?.id, ...times, answered }));
    await assert.rejects(asking, {
      code: 'bad-input',
      message: /^lab@far gave an answer to "mark" that is none: .{5,}/,
    });
    say(JSON.stringify({ id: one?.id, ...times, answered: { mark: 7 } }));
    assert.equal((await believed).answered.mark, 7);
  }
  assert.equal(channel.lost(), undefined);
  assert.ok(!killed());
  await channel.close();
});

test('the same about what was begun or ended there ends the connection, and with it what nobody knows of', async () => {
  const { channel, asked, say, killed } = farEnd();
  const other = channel.ask('mark', { server: 0 });
  const starting = channel.ask('worker', { prefix: [], family: 'chromium' });
  const id = (await asked()).at(-1)?.id;
  say(JSON.stringify({ id, ...times, answered: { worker: -1 } }));
  for (const asking of [starting, other]) await assert.rejects(asking, { code: 'bad-input' });
  assert.match(channel.lost()?.message ?? '', /^lab@far gave an answer to "worker" that is none: worker: /);
  assert.ok(killed());
});

test('a line without an end is not kept', async () => {
  const { channel, say } = farEnd();
  const asking = channel.ask('ping', {});
  say('x'.repeat(maxLineBytes + 1));
  await assert.rejects(asking, /a line without an end/);
});

test('a program that ends says why by its last line', async () => {
  const { channel, end } = farEnd();
  const asking = channel.ask('hello', {});
  end(127);
  await assert.rejects(asking, /the connection to lab@far was lost: bash: node: command not found/);
});

test('a program that cannot begin says why, and what was asked ends with that', async () => {
  const { channel, asked, say, killed } = farEnd();
  const asking = channel.ask('hello', {});
  await asked();
  const error = { code: 'storage', message: 'nothing more can be written', next: 'Make room.' };
  say(JSON.stringify({ event: 'refused', error }));
  await assert.rejects(asking, { code: 'storage', message: 'on lab@far: nothing more can be written' });
  assert.equal(channel.lost()?.next, 'There: Make room.');
  assert.ok(killed());
});

test('a server that dies is told of by its number', async () => {
  const { channel, say, died } = farEnd();
  say('{"event":"died","server":3,"part":"the server\\u001b[2J"}');
  await sleep(5);
  assert.deepEqual(died, [[3, 'the server\\u001b[2J']]);
  await channel.close();
});

test('entries of a log are judged one by one, and a strange one refuses them all', () => {
  const entry = {
    host: 'a.test',
    path: '/',
    method: 'GET',
    protocol: 'h3',
    status: 200,
    bytes: 1,
    startEpochMs: 1,
    durationMs: 1,
  };
  assert.equal(readAnswer('entries', { entries: [entry] }, 'far').entries[0]?.path, '/');
  for (const change of [{ bytes: 'many' }, { path: null }, { startEpochMs: '1' }])
    assert.throws(
      () => readAnswer('entries', { entries: [entry, { ...entry, ...change }] }, 'far'),
      /is none/,
    );
  assert.throws(() => readFarLine('', 'far'), /said what no h2h3 says/);
});

test('a call that is never answered ends the connection, also where the other end answers all else', async () => {
  const { channel, killed } = farEnd();
  const late = channel.ask('begin', { worker: 0, limitMs: 1 }, 20);
  await assert.rejects(late, {
    code: 'process-failed',
    message: 'the connection to lab@far was lost: no answer to "begin" within 0 s',
  });
  assert.ok(killed());
});
