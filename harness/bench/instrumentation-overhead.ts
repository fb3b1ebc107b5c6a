import { mkdir, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import type { Instrumentation } from '../../src/core/model/instrumentation.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import type { ClientIdentity } from '../clients/client.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import { usualProbes } from '../probes/selection.ts';
import { singleTrial } from '../trial/single-trial.ts';
import { benchRow, rowsOrReason, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { addedTo, turnedRounds, type Centre } from './turned-rounds.ts';
import { loadUninstrumented } from './uninstrumented-browser.ts';

export interface OverheadContext extends BenchTrialContext {
  readonly certificates: CertificateStore;
  readonly centreOf: Centre;
}

const group = 'instrumentation';
const protocols = ['h2', 'h3'] as const;
type BenchProtocol = (typeof protocols)[number];
/** How a load is instrumented: by a browser without a connection to it, as a timed trial, as a recorded trial. */
const ways = ['unconnected', 'uninstrumented', 'instrumented'] as const;
type Way = (typeof ways)[number];

interface Variant {
  readonly way: Way;
  readonly protocol: BenchProtocol;
}

interface Sample {
  readonly loadMs: number;
  readonly load: number;
}

const nameOf = ({ way, protocol }: Variant): string => `${way} ${protocol}`;
const limitMs = 30_000;

/**
 * Load time of one page in a browser without a connection to it, in a timed trial and in a recorded trial, over both
 * protocols in turns. The page tells our server of its load time itself, all three ways alike; every browser has settled on a
 * page of another host before.
 */
export async function instrumentationOverhead(
  context: OverheadContext,
  clients: readonly ClientIdentity[],
  where: string,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const client of clients) {
    const subject = `${client.id} ${client.version}, ${where}`;
    const measure = (): Promise<BenchRow[]> => costOf(context, client, subject);
    rows.push(...(await rowsOrReason({ group, subject, quantity: 'load time' }, context.signal, measure)));
  }
  return rows;
}

async function costOf(
  context: OverheadContext,
  client: ClientIdentity,
  subject: string,
): Promise<BenchRow[]> {
  const variants: Variant[] = protocols.flatMap((protocol) => ways.map((way) => ({ way, protocol })));
  const rounds = { counted: context.repetitions, warmUps: 1 };
  const samples = await turnedRounds(variants, rounds, async (variant, words): Promise<Sample> => {
    context.progress(`${subject}, ${nameOf(variant)}, ${words}`);
    const [load = 0] = loadavg();
    return { loadMs: await loadTime(context, client, variant), load };
  });
  const loadMs = new Map(
    [...samples].map(([variant, values]) => [nameOf(variant), values.map((sample) => sample.loadMs)]),
  );
  const averages = [...samples.values()].flatMap((values) => values.map(({ load }) => load));
  return [
    ...variants.map((variant) =>
      benchRow({
        group,
        subject: `${subject}: ${nameOf(variant)}`,
        quantity: 'load time',
        unit: 'ms',
        values: loadMs.get(nameOf(variant)) ?? [],
      }),
    ),
    ...againstUnconnected(subject, loadMs, context.centreOf),
    ...betweenProtocols(subject, loadMs, context.centreOf),
    benchRow({ group, subject, quantity: 'load average', unit: '', values: averages }),
  ];
}

type LoadTimes = ReadonlyMap<string, readonly number[]>;

/** What timed and evidence add to a browser without a connection to it, in the same round. */
function againstUnconnected(subject: string, loadMs: LoadTimes, centreOf: Centre): BenchRow[] {
  return protocols.flatMap((protocol) =>
    (['uninstrumented', 'instrumented'] as const).map((way) => {
      const loads = loadMs.get(nameOf({ way, protocol })) ?? [];
      const base = loadMs.get(nameOf({ way: 'unconnected', protocol })) ?? [];
      return ratioRow(`${subject}: ${way} against unconnected, ${protocol}`, { one: loads, base }, centreOf);
    }),
  );
}

/** HTTP/3 against HTTP/2, by how the loads are instrumented. */
function betweenProtocols(subject: string, loadMs: LoadTimes, centreOf: Centre): BenchRow[] {
  return ways.map((way) => {
    const loads = loadMs.get(nameOf({ way, protocol: 'h3' })) ?? [];
    const base = loadMs.get(nameOf({ way, protocol: 'h2' })) ?? [];
    return ratioRow(`${subject}: h3 against h2, ${way}`, { one: loads, base }, centreOf);
  });
}

/** The centre of the ratios within rounds as a change in percent; its range is the interval of 90 %, so that its upper end is the one-sided bound of 95 %. */
function ratioRow(
  subject: string,
  { one, base }: { readonly one: readonly number[]; readonly base: readonly number[] },
  centreOf: Centre,
): BenchRow {
  const logs = addedTo(base.map(Math.log), one.map(Math.log));
  const centre = centreOf(logs, 0.9);
  const percent = (log: number): number => 100 * (Math.exp(log) - 1);
  const row = benchRow({ group, subject, quantity: 'change of the load time', unit: '%', values: [] });
  if (centre === null) return { ...row, note: 'too few rounds' };
  const [low, high] = centre.interval;
  return {
    ...row,
    value: percent(centre.estimate),
    range: [percent(low), percent(high)],
    repetitions: logs.length,
    note: 'range: interval of 90 %, whose upper end is the one-sided bound of 95 %',
  };
}

async function loadTime(
  context: OverheadContext,
  client: ClientIdentity,
  { way, protocol }: Variant,
): Promise<number> {
  return way === 'unconnected'
    ? uninstrumented(context, client, protocol)
    : instrumented(context, client, { instrumentation: way, protocol });
}

async function uninstrumented(
  context: OverheadContext,
  client: ClientIdentity,
  protocol: BenchProtocol,
): Promise<number> {
  const { server, site, spkiHash, pinning, environment, certificates, clientPrefix = [] } = context;
  const profileDir = path.join(context.tempDir, 'uninstrumented-profile');
  await mkdir(profileDir, { recursive: true });
  try {
    return await loadUninstrumented({
      launch: {
        client,
        protocol,
        instrumentation: 'uninstrumented',
        profileDir,
        spkiHash,
        hosts: site.roots.map(({ host }) => host),
        server: { address: server.address, port: server.port, pid: server.pid },
        headed: false,
        mediaBufferMegabytes: 0,
        frames: false,
      },
      server,
      certificates,
      environment,
      prefix: [...clientPrefix, ...pinPrefix(pinning.browserCpus)],
      waitingUrl: site.telling.leadingUrl,
      reportPath: site.telling.reportPath,
      limitMs,
    });
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The page tells of its load within the quiet time of the trial. */
async function instrumented(
  context: OverheadContext,
  client: ClientIdentity,
  {
    instrumentation,
    protocol,
  }: { readonly instrumentation: Instrumentation; readonly protocol: BenchProtocol },
): Promise<number> {
  const { server, site } = context;
  const { workload, waitingUrl, reportPath } = site.telling;
  const mark = await server.mark();
  const probes = instrumentation === 'uninstrumented' ? ['cpu'] : usualProbes;
  const { postProcess } = context;
  await singleTrial(context, {
    client,
    workload,
    protocol,
    probes,
    instrumentation,
    postProcess,
    startUrl: waitingUrl,
  });
  const entries = await server.entriesSince(mark, []);
  const told = entries.find(({ path: asked }) => asked.startsWith(reportPath));
  return told === undefined ? Number.NaN : Number(told.path.slice(reportPath.length));
}
