import { access, constants, readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasErrno, messageOf } from '../../src/core/model/errors.ts';
import { cpuGovernor, watchCpus } from '../../src/core/system/machine.ts';
import type { DoctorRow } from './doctor-row.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import type { SetupContext } from './setup-context.ts';

/** What quic-go asks for each way (its `DesiredReceiveBufferSize`, 7 MiB). */
const wantedUdpBufferBytes = 7 * 1024 * 1024;
/** Linux gives a socket twice what it asks for (socket(7), SO_RCVBUF), so half as limit is enough. */
const minUdpLimitBytes = wantedUdpBufferBytes / 2;
/** A 200 Mbit/s ladder in three chunk lengths takes 1.1 GB, the largest download 1 GB, tools 0.4 GB. */
const comfortableDiskBytes = 4e9;
const minDiskBytes = 1e9;

/** The machine and its kernel, as far as measurements feel them. */
export async function machineRows(context: SetupContext): Promise<DoctorRow[]> {
  return [
    await cpuRow(context),
    ...(await ownRows()),
    await diskRow('tools and caches', context.cache.directory),
    await diskRow('results', 'results'),
    await fontsRow(context),
  ];
}

/** The same as far as servers alone feel them. */
export async function serverMachineRows(context: SetupContext): Promise<DoctorRow[]> {
  return [...(await ownRows()), await diskRow('tools and content', context.cache.directory)];
}

/** What clients and servers feel alike. */
async function ownRows(): Promise<DoctorRow[]> {
  return [
    await accountingRow(),
    await udpBufferRow(),
    await congestionRow(),
    await governorRow(),
    await loadRow(),
    await stealRow(),
  ];
}

async function read(file: string): Promise<string | undefined> {
  // Absent on other systems and in narrow containers: then nothing can be said of it.
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

async function cpuRow(context: SetupContext): Promise<DoctorRow> {
  const count = os.availableParallelism();
  const taskset = await findOnPath('taskset', context);
  const found = `${count} × ${os.cpus()[0]?.model.trim() ?? 'unknown'}, ${taskset ?? 'no taskset'}`;
  const row = { item: 'CPUs and pinning', found, required: false };
  if (count < 2)
    return {
      ...row,
      state: 'limited',
      costs: 'browser and server share one CPU: each slows the other',
      fix: 'use a machine with two CPUs or more',
    };
  if (taskset === undefined)
    return {
      ...row,
      state: 'limited',
      costs: 'browser and server may meet on one CPU',
      fix: 'apt-get install util-linux',
    };
  return { ...row, state: 'ok' };
}

async function accountingRow(): Promise<DoctorRow> {
  const readable = (await read('/proc/self/stat')) !== undefined;
  const row = { item: 'CPU time by process', required: false };
  if (readable) return { ...row, state: 'ok', found: '/proc' };
  return { ...row, state: 'missing', found: 'no /proc', costs: 'no CPU metrics', fix: 'run on Linux' };
}

async function udpBufferRow(): Promise<DoctorRow> {
  const names = ['rmem_max', 'wmem_max', 'rmem_default'] as const;
  const values = await Promise.all(names.map((name) => read(`/proc/sys/net/core/${name}`)));
  const found = names.map((name, index) => `${name} ${values[index] ?? 'unknown'}`).join(', ');
  const row = { item: 'UDP buffers', found, required: false };
  if (values.slice(0, 2).every((value) => value !== undefined && Number(value) >= minUdpLimitBytes))
    return { ...row, state: 'ok' };
  return {
    ...row,
    state: 'limited',
    costs: 'HTTP/3 may lose packets inside the machine under load, which looks like network loss',
    fix: `sudo sysctl -w net.core.rmem_max=${wantedUdpBufferBytes} net.core.wmem_max=${wantedUdpBufferBytes}`,
  };
}

async function congestionRow(): Promise<DoctorRow> {
  const folder = '/proc/sys/net/ipv4/';
  const inForce = await read(`${folder}tcp_congestion_control`);
  const available = (await read(`${folder}tcp_available_congestion_control`)) ?? '';
  const allowed = (await read(`${folder}tcp_allowed_congestion_control`)) ?? '';
  const row = { item: 'TCP congestion control', required: false };
  if (inForce === undefined)
    return {
      ...row,
      state: 'limited',
      found: 'unknown',
      costs: 'the arms may run unlike algorithms',
      fix: 'run on Linux',
    };
  const found = `${inForce} in force, ${available} available, ${allowed} allowed to all`;
  if (available.split(' ').includes('reno')) return { ...row, found, state: 'ok' };
  return { ...row, found, state: 'limited', costs: 'TCP cannot run the algorithm of QUIC (New Reno)' };
}

function governorRow(): Promise<DoctorRow> {
  const governor = cpuGovernor();
  const row = {
    item: 'CPU governor',
    found: governor ?? 'not told (usual in virtual machines)',
    required: false,
  };
  if (governor === null || governor === 'performance') return Promise.resolve({ ...row, state: 'ok' });
  return Promise.resolve({
    ...row,
    state: 'limited',
    costs: 'clock speed follows the load: more noise',
    fix: 'sudo cpupower frequency-set -g performance',
  });
}

function loadRow(): Promise<DoctorRow> {
  const load = os.loadavg()[0] ?? 0;
  const row = { item: 'load', found: `${load.toFixed(2)} over the last minute`, required: false };
  if (load < os.availableParallelism() / 2) return Promise.resolve({ ...row, state: 'ok' });
  return Promise.resolve({
    ...row,
    state: 'limited',
    costs: 'other work disturbs the trials',
    fix: 'end other work on this machine',
  });
}

async function stealRow(): Promise<DoctorRow> {
  const share = (await watchCpus(300))?.steal ?? null;
  const row = {
    item: 'steal',
    found: share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`,
    required: false,
  };
  if (share === null || share < 0.01) return { ...row, state: 'ok' };
  return {
    ...row,
    state: 'limited',
    costs: 'the hypervisor gives CPU time to others: more noise',
    fix: 'use a machine with CPUs of its own',
  };
}

async function diskRow(what: string, directory: string): Promise<DoctorRow> {
  const item = `disk for ${what}`;
  try {
    const place = await nearestFolder(directory);
    await access(place, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(place);
    const row = {
      item,
      found: `${((bavail * bsize) / 1e9).toFixed(1)} GB free in ${path.resolve(directory)}`,
    };
    if (bavail * bsize >= comfortableDiskBytes) return { ...row, state: 'ok', required: false };
    const isFull = bavail * bsize < minDiskBytes;
    const costs = isFull ? 'runs would end for lack of space' : 'the largest workloads may not fit';
    return { ...row, state: isFull ? 'missing' : 'limited', costs, fix: 'free some space', required: isFull };
  } catch (error) {
    return {
      item,
      state: 'missing',
      found: messageOf(error),
      costs: 'nothing can be kept',
      fix: `make ${directory} writable`,
      required: true,
    };
  }
}

/** The folder itself, or the one that it would be made in when it is first needed. */
async function nearestFolder(directory: string): Promise<string> {
  const absolute = path.resolve(directory);
  try {
    await access(absolute);
    return absolute;
  } catch (error) {
    if (!hasErrno(error, 'ENOENT') || path.dirname(absolute) === absolute) throw error;
    return nearestFolder(path.dirname(absolute));
  }
}

async function fontsRow(context: SetupContext): Promise<DoctorRow> {
  const row = { item: 'fonts', required: false };
  if (context.platform !== 'linux') return { ...row, state: 'ok', found: 'of the system' };
  const listed = await context
    .run('fc-list', ['--format', '%{file}\\n'], { timeoutMs: 15_000 })
    .catch(() => undefined);
  const count = listed?.stdout.split('\n').filter((line) => line !== '').length ?? 0;
  if (count > 0) return { ...row, state: 'ok', found: `${count} files` };
  const costs = 'browsers of the system paint no text (the embedded one brings a font)';
  return { ...row, state: 'limited', found: 'none', costs, fix: 'npx h2h3 setup --system' };
}
