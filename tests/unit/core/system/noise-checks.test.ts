import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { hottestCelsius } from '../../../../src/core/system/machine.ts';
import { checkNoise, noiseWarnings } from '../../../../src/core/system/noise-checks.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function machine(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = tempFolder(t);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const calm = {
  'proc/meminfo': 'MemTotal: 1000 kB\nMemAvailable: 800 kB\n',
  'proc/pressure/memory': 'some avg10=0.00 avg60=0.00\nfull avg10=0.00\n',
  'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'performance\n',
  'sys/class/thermal/thermal_zone0/temp': '45000\n',
};

test('a calm machine has nothing to warn of', async (t) => {
  const checks = await checkNoise({ root: machine(t, calm), intervalMs: 1 });
  assert.deepEqual(noiseWarnings(checks), []);
});

test('governor, heat and scarce memory are named with their figures', async (t) => {
  const root = machine(t, {
    'proc/meminfo': 'MemTotal: 1000 kB\nMemAvailable: 40 kB\n',
    'proc/pressure/memory': 'some avg10=12.50 avg60=0.00\n',
    'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n',
    'sys/class/thermal/thermal_zone0/temp': '97000\n',
  });
  const warnings = noiseWarnings(await checkNoise({ root, intervalMs: 1 }));
  assert.equal(warnings.length, 3);
  assert.match(warnings[0] ?? '', /governor is "powersave"/);
  assert.match(warnings[1] ?? '', /97 °C/);
  assert.match(warnings[2] ?? '', /4\.0 % of memory is available, tasks waited for memory 12\.5 %/);
});

test('load and stolen time are the share of the CPUs while watching', async (t) => {
  const root = machine(t, { ...calm, 'proc/stat': 'cpu 100 0 0 1000 0 0 0 0\n' });
  const watching = checkNoise({ root, intervalMs: 1 });
  // The first look was taken when it was asked for.
  writeFileSync(join(root, 'proc/stat'), 'cpu 140 0 0 1050 0 0 0 10\n');
  const warnings = noiseWarnings(await watching);
  assert.match(warnings[0] ?? '', /noise \(load\): other programs used 40\.0 % of the CPUs/);
  assert.match(warnings[1] ?? '', /noise \(steal\): the hypervisor gave 10\.0 %/);
});

test('a system that says nothing is no fault, and the reason stands there', async (t) => {
  const checks = await checkNoise({ root: machine(t, {}), intervalMs: 1 });
  assert.ok(checks.every(({ ok, reason }) => ok && reason !== ''));
});

test('the temperature of a machine is that of its hottest zone, and not known where none says it', (t) => {
  const zone = (number: number): string => `sys/class/thermal/thermal_zone${number}/temp`;
  const other = { 'sys/class/thermal/cooling_device0/temp': '99000\n' };
  const of = (files: Readonly<Record<string, string>>): number | null => hottestCelsius(machine(t, files));
  assert.equal(of({ ...other, [zone(0)]: '45500\n', [zone(1)]: '-4000\n', [zone(2)]: '\n' }), 45.5);
  assert.equal(of(other), null);
  assert.equal(of({}), null);
});
