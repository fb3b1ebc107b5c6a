import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { Probe, ProbeContext } from '../../../../harness/probes/probe.ts';
import { ProbeSet } from '../../../../harness/probes/probe-set.ts';

const context = { trialDir: '/trial', tempDir: '/temp', rootPid: 1, url: 'https://a.test/' } as ProbeContext;
const recording = { buildHar: null, frames: null, clean: <T>(value: T): T => value };

function noting(id: string, did: string[], traits: Partial<Probe> = {}): Probe {
  return {
    id,
    title: id,
    recorded: 'asked',
    inTimed: false,
    setup: ({ tempDir }) => {
      did.push(`setup ${id} in ${tempDir}`);
      return {
        start: () => void did.push(`start ${id}`),
        stop: () => void did.push(`stop ${id}`),
        teardown: () => {
          did.push(`teardown ${id}`);
          return { counters: { [`${id}Count`]: 1 }, artifacts: { [id]: `${id}.json` } };
        },
      };
    },
    ...traits,
  };
}

test('probes start in order, stop in the other, and leave numbers and files', async () => {
  const did: string[] = [];
  const set = new ProbeSet([noting('outer', did), noting('inner', did)]);
  await set.setup(context);
  await set.start();
  await set.stop();
  const left = await set.teardown(recording);
  assert.deepEqual(did, [
    'setup outer in /temp/outer',
    'setup inner in /temp/inner',
    'start outer',
    'start inner',
    'stop inner',
    'stop outer',
    'teardown outer',
    'teardown inner',
  ]);
  assert.deepEqual(left.counters, { outerCount: 1, innerCount: 1 });
  assert.deepEqual(left.artifacts, { outer: 'outer.json', inner: 'inner.json' });
  assert.deepEqual(left.raw, { cpu: null, frames: null });
});

test('what measures again does so before the rest is read out', async () => {
  const did: string[] = [];
  const set = new ProbeSet([noting('plain', did), noting('audit', did, { measuresAgain: true })]);
  assert.ok(set.measuresAgain);
  await set.setup(context);
  await set.measureAgain(recording);
  const left = await set.teardown(recording);
  assert.deepEqual(did.slice(2), ['teardown audit', 'teardown plain']);
  assert.deepEqual(Object.keys(left.artifacts), ['audit', 'plain']);
});

test('a probe that cannot is a warning with the reason and what would help, and the others go on', async () => {
  const did: string[] = [];
  const unable = noting('unable', did, { setup: () => Promise.reject(new Error('no such counter here')) });
  const lacking = new H2h3Error('unsupported', 'there is no perf', { next: 'Install perf.' });
  const helped = noting('helped', did, { setup: () => Promise.reject(lacking) });
  const set = new ProbeSet([unable, helped, noting('able', did)]);
  await set.setup(context);
  await set.start();
  await set.stop();
  const left = await set.teardown(recording);
  assert.deepEqual(left.warnings, [
    'the probe unable recorded nothing: no such counter here',
    'the probe helped recorded nothing: there is no perf. Install perf.',
  ]);
  assert.deepEqual(left.raw.unrecorded, left.warnings);
  assert.deepEqual(left.counters, { ableCount: 1 });
});

test('a disk without room is no matter of one probe', async () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const set = new ProbeSet([
    noting('writer', [], { setup: () => ({ teardown: () => Promise.reject(full) }) }),
  ]);
  await set.setup(context);
  await assert.rejects(set.teardown(recording), full);
});

test('the client is started with what any of them demands', () => {
  assert.deepEqual(new ProbeSet([]).launch, { frames: false, logs: [] });
  const set = new ProbeSet([
    noting('a', [], { launch: { frames: true, logs: ['keys'] } }),
    noting('b', [], { launch: { logs: ['keys', 'netLog'] } }),
    noting('c', []),
  ]);
  assert.deepEqual(set.launch, { frames: true, logs: ['keys', 'netLog'] });
});
