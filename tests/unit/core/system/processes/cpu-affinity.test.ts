import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';

const canConfine =
  spawnSync('taskset', ['-V']).status === 0 &&
  availableParallelism() > 1 &&
  existsSync('/sys/devices/system/cpu/online');
const script = `
import { CpuAffinity } from '${new URL('../../../../../src/core/system/processes/cpu-affinity.ts', import.meta.url).href}';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const cpus = (pid) => /Cpus_allowed_list:\\s*(\\S+)/.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))[1];
const given = cpus('self');
const affinity = await CpuAffinity.widen();
const wide = cpus('self');
const child = spawn('sleep', ['30']);
const before = cpus(child.pid);
const confined = await affinity.confine(null);
const first = { own: cpus('self'), child: cpus(child.pid) };
spawnSync('taskset', ['-a', '-c', '-p', wide, String(child.pid)]);
const astray = cpus(child.pid);
const again = await affinity.confine('1');
const apart = cpus('self');
console.log(JSON.stringify({ given, wide, before, confined, ...first, astray, again, apart, last: cpus(child.pid) }));
affinity.end();
child.kill('SIGKILL');
`;

test(
  'a confined process starts its browser on all CPUs and measures on its own',
  { skip: canConfine ? false : 'needs taskset, two CPUs and /sys' },
  () => {
    const words = ['-c', '0', process.execPath, '--input-type=module', '-e', script];
    const { stdout } = spawnSync('taskset', words, { encoding: 'utf8' });
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(seen['given'], '0');
    assert.notEqual(seen['wide'], '0');
    assert.equal(seen['before'], seen['wide']);
    assert.equal(seen['confined'], true);
    assert.equal(seen['own'], '0');
    assert.equal(seen['child'], '0');
    assert.equal(seen['apart'], '1', 'it can work beside what it confines');
    assert.equal(seen['astray'], seen['wide']);
    assert.equal(seen['again'], true, 'what left its CPUs meanwhile is brought back');
    assert.equal(seen['last'], '0');
  },
);
