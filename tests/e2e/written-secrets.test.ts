import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCliHere } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a password that is written in an address is refused by every command, without repeating it, before anything is made', async (t) => {
  const out = join(tempFolder(t), 'run');
  const secret = 'hunter2-44d1b7a9';
  const queue = `redis://:${secret}@127.0.0.1:1`;
  const bucket = `s3://b/p?endpoint=https%3A%2F%2Fme:${secret}@127.0.0.1:1`;
  const run = ['run', 'download', '--out', out];
  for (const args of [
    ['worker', queue, '--results', out],
    ['worker', `redis://127.0.0.1:1?password=${secret}`, '--results', out],
    [...run, '--workers', queue, '--results', out],
    [...run, '--workers', 'redis://127.0.0.1:1', '--results', bucket],
    ['run', '--url', `https://me:${secret}@127.0.0.1:1/`, '--out', out],
    ['run', '--url', `http://me:${secret}@127.0.0.1:1/`, '--out', out],
    [...run, '--arm', `h3+flags=--proxy-server=http://me:${secret}@127.0.0.1:1`],
    ['record', `https://me:${secret}@127.0.0.1:1/`, '--out', out],
    ['nightly', '--otlp', `http://me:${secret}@127.0.0.1:1`, '--results', out],
  ]) {
    const { code, stdout, stderr } = await runCliHere(args);
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.ok(![stdout, stderr].join().includes(secret), stderr);
    assert.doesNotMatch(stderr, /ECONNREFUSED|cannot be loaded/, 'nothing was asked for');
    assert.ok(!existsSync(out), 'nothing was made');
  }
  assert.match(
    (await runCliHere(['worker', queue, '--results', out])).stderr,
    /'redis:\/\/:\$\{QUEUE_PASSWORD\}@lab:6379' takes it out of the environment/,
  );
});
