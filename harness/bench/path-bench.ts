import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { networkSpecSchema, type NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { QueueKind } from '../../src/core/model/queue-kind.ts';
import { startEmulatedPath } from '../network/emulated-path.ts';
import { ensureEmulatorPrograms, type EmulatorPrograms } from '../network/emulator-programs.ts';
import type { LinkSettings } from '../network/network.ts';
import { findPrivilege } from '../network/privilege.ts';
import { probe, receive, udpReceiptSchema, udpSendingSchema } from '../network/probe-path.ts';
import { networkSpecs } from '../network/registry.ts';
import { measurePath } from '../network/self-check.ts';
import type { ShapedPath } from '../network/shaped-path.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { benchRow, rowsOrReason, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';

const group = 'emulated path';
const port = 9;
const packetIpBytes = 1500;
const warmUpMs = 700;
const measuredMs = 2000;
const idleMs = 700;
const queueBytes = 3_000_000;
const delayMs = 5;

type Direction = 'up' | 'down';

interface Load {
  readonly mbps: number;
  readonly directions: readonly Direction[];
  /** Absent: drop-tail. */
  readonly queue?: QueueKind;
  /** Whether what is sent has ECN, and the queue marks it. */
  readonly marks?: true;
  /** CPU time that the emulator may take, % of a core. */
  readonly maxCpuPercent: number;
}

const loads: readonly Load[] = [
  { mbps: 500, directions: ['down'], maxCpuPercent: 35 },
  { mbps: 500, directions: ['up', 'down'], maxCpuPercent: 35 },
  { mbps: 1000, directions: ['down'], maxCpuPercent: 30 },
  { mbps: 1000, directions: ['down'], queue: 'codel', maxCpuPercent: 25 },
  { mbps: 1000, directions: ['down'], queue: 'fq-codel', maxCpuPercent: 25 },
  { mbps: 1000, directions: ['down'], queue: 'dualpi2', maxCpuPercent: 25 },
  { mbps: 1000, directions: ['down'], queue: 'fq-codel', marks: true, maxCpuPercent: 25 },
];
/** ECT(0), as senders of today mark what they send. */
const ecnField = 2;

function lossy(lossPercent: number): NetworkSpec {
  const direction = { rateMbps: 100, queueBytes: 1_000_000, delayMs: 12.5, lossPercent };
  const source = 'the bench of the emulated path';
  const title = `100 Mbit/s, 25 ms round trip, ${lossPercent} % loss each way`;
  return networkSpecSchema.parse({
    id: `${lossPercent}-percent`,
    title,
    source,
    up: direction,
    down: direction,
  });
}

const checkedNames = ['fiber-300', 'liu-10mbit-50ms-0pct', '4g-driving', '5g-driving'];

export type PathBenchContext = Pick<
  BenchTrialContext,
  'pinning' | 'tempDir' | 'environment' | 'repetitions' | 'signal' | 'progress'
> & { readonly setup: SetupContext };

interface EmulatedPaths {
  /** Makes a path, lets `use` have it and removes it. */
  with<T>(
    spec: NetworkSpec,
    use: (shaped: ShapedPath, programs: EmulatorPrograms) => Promise<T>,
    settings?: LinkSettings,
  ): Promise<T>;
}

/** What the emulator in user space takes of the machine, and how near the path is to what was set. */
export async function pathBench(context: PathBenchContext): Promise<BenchRow[]> {
  const missing = { group, subject: 'emulator', quantity: 'CPU time', unit: '%' } as const;
  return rowsOrReason(missing, context.signal, async () => {
    const paths = await emulatedPaths(context);
    const rows: BenchRow[] = [];
    for (const load of loads) rows.push(...(await cpuRows(context, paths, load)));
    const checked = networkSpecs.filter(({ id }) => checkedNames.includes(id));
    for (const spec of [...checked, lossy(1), lossy(4), lossy(12)])
      rows.push(...(await accuracyRows(context, paths, spec)));
    return rows;
  });
}

async function emulatedPaths(context: PathBenchContext): Promise<EmulatedPaths> {
  const { setup, environment, pinning } = context;
  const privilege = await findPrivilege(setup);
  const programs = await ensureEmulatorPrograms(setup);
  const workDir = path.join(context.tempDir, 'bench-path');
  await mkdir(workDir, { recursive: true });
  const options = {
    runId: 'bench',
    workDir,
    hosts: [],
    tcpCongestionControl: 'reno',
    environment,
    cpus: pinning.serverCpus,
  };
  return {
    with: async (spec, use, settings = {}) => {
      context.signal.throwIfAborted();
      const shaped = await startEmulatedPath({
        spec,
        privilege,
        programs,
        options: { ...options, settings, joinsMarked: true },
        context: setup,
      });
      try {
        return await use(shaped, programs);
      } finally {
        await shaped.stop();
      }
    },
  };
}

async function cpuRows(context: PathBenchContext, paths: EmulatedPaths, load: Load): Promise<BenchRow[]> {
  const { mbps, directions, queue, marks, maxCpuPercent } = load;
  const direction = { rateMbps: mbps, queueBytes, delayMs, ...(queue === undefined ? {} : { queue }) };
  const spec = networkSpecSchema.parse({
    id: 'load',
    title: 'load',
    source: 'bench',
    up: direction,
    down: direction,
  });
  const full = directions.length === 2 ? 'both directions full' : 'one direction full';
  const managed = queue === undefined ? '' : `, ${queue}${marks === true ? ' with marks' : ''}`;
  const subject = `${mbps} Mbit/s, ${full}${managed}`;
  const samples = await paths.with(
    spec,
    async (shaped, { probe: program }) => {
      const taken: LoadSample[] = [];
      for (let round = 0; round < context.repetitions; round++) {
        context.progress(`${subject}, ${round + 1} of ${context.repetitions}`);
        taken.push(await underLoad(shaped, program, load));
      }
      return taken;
    },
    marks === true ? { ecn: 'on' } : {},
  );
  const row = (
    quantity: string,
    unit: string,
    of: (sample: LoadSample) => number,
    atMost?: number,
  ): BenchRow => {
    const parts = { group, subject, quantity, unit, values: samples.map(of) } as const;
    return benchRow(atMost === undefined ? parts : { ...parts, atMost });
  };
  return [
    row('CPU time of the emulator', '% of a core', ({ cpuPercent }) => cpuPercent, maxCpuPercent),
    row('carried, all directions', 'Mbit/s', ({ carriedMbps }) => carriedMbps),
    row('packets more than 2 ms late', '%', ({ latePercent }) => latePercent, 1),
  ];
}

interface LoadSample {
  readonly cpuPercent: number;
  readonly carriedMbps: number;
  readonly latePercent: number;
}

/** Fills these directions with UDP and reads the emulator's counters while they are full. */
async function underLoad(shaped: ShapedPath, program: string, load: Load): Promise<LoadSample> {
  const flows = load.directions.map((direction) => fill(shaped, program, load, direction));
  await sleep(warmUpMs);
  const before = await sampled(shaped);
  await sleep(measuredMs);
  const after = await sampled(shaped);
  await Promise.all(flows);
  const elapsedMs = after.atMs - before.atMs;
  const rise = (name: string): number => (after.counters[name] ?? 0) - (before.counters[name] ?? 0);
  const both = (what: string): number => rise(`emulatorUp${what}`) + rise(`emulatorDown${what}`);
  return {
    cpuPercent: (100 * rise('emulatorCpuMs')) / elapsedMs,
    carriedMbps: (both('Bytes') * 8) / 1000 / elapsedMs,
    latePercent: (100 * both('Late2ms')) / Math.max(1, both('Packets')),
  };
}

async function sampled(
  shaped: ShapedPath,
): Promise<{ readonly atMs: number; readonly counters: Readonly<Record<string, number>> }> {
  return { counters: await shaped.counters(), atMs: performance.now() };
}

async function fill(
  shaped: ShapedPath,
  program: string,
  { mbps, marks }: Load,
  direction: Direction,
): Promise<void> {
  const { client, server, place } = shaped;
  const [from, to, address] =
    direction === 'up' ? [client, server, place.farAddress] : [server, client, place.nearAddress];
  const sendMs = warmUpMs + measuredMs + 500;
  const count = Math.ceil((mbps * 1000 * sendMs) / (packetIpBytes * 8));
  await receive({
    place: to,
    program,
    words: ['receive-udp', port, idleMs],
    schema: udpReceiptSchema,
    send: () =>
      probe(
        from,
        program,
        ['send-udp', address, port, packetIpBytes, mbps, count, marks === true ? ecnField : 0],
        udpSendingSchema,
      ),
  });
}

async function accuracyRows(
  context: PathBenchContext,
  paths: EmulatedPaths,
  spec: NetworkSpec,
): Promise<BenchRow[]> {
  context.progress(`accuracy of ${spec.title}`);
  const checks = await paths.with(spec, (shaped, { probe: program }) => measurePath(spec, shaped, program));
  return checks.flatMap(({ direction, quantity, unit, expected, measured, tolerance }) =>
    expected === null || tolerance === null
      ? []
      : [
          benchRow({
            group,
            subject: `${spec.id}, ${direction}`,
            quantity: `${quantity}: off by`,
            unit,
            values: [Math.abs(measured - expected)],
            atMost: tolerance,
            note: `set ${expected.toPrecision(4)} ${unit}`,
          }),
        ],
  );
}
