import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchRow, type BenchRow } from '../../../harness/bench/bench-row.ts';
import { addedTo, turnedRounds } from '../../../harness/bench/turned-rounds.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { linkFromClient, linkToHere } from '../../../harness/hosts/client-link.ts';
import { ClientPlace, requireOwnAddress } from '../../../harness/hosts/client-place.ts';
import type { FarHost } from '../../../harness/hosts/far-host.ts';
import { FarLink, realLink } from '../../../harness/hosts/far-link.ts';
import { FarPlace } from '../../../harness/hosts/far-place.ts';
import { farServers } from '../../../harness/hosts/far-server.ts';
import { farWorkers } from '../../../harness/hosts/far-worker.ts';
import { serversHere } from '../../../harness/hosts/servers-here.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { clientElsewhere } from '../../../harness/testbed/pinning.ts';
import type { Runner } from '../../../harness/trial/runner.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import { clientsOf } from '../preflight/client-host.ts';
import { plannedTrial, withRunner, type BenchPlace, type RunnerBenchOptions } from './bench-runner.ts';
import { benchPage, loadStep, oneTrial } from './trial-time.ts';

const group = 'two machines';
const protocol = 'h2';
/** What the control connection to another machine may add to a trial. */
const atMostMs = 150;

/** So many trials of one place follow each other; the first, whose client was not made ready, is not counted. */
const inARow = 3;

const sides = ['here', 'there'] as const;
type Side = (typeof sides)[number];

/** What the other machine has. */
type Moved = 'server' | 'browser';

/** Trials one after the other, mean of a turn: the time of each beyond the page's own, and of its steps, ms. */
interface Turn {
  readonly otherMs: number;
  readonly steps: ReadonlyMap<string, number>;
}

/**
 * What a trial costs beyond its page when the server is on another machine, or the browser, against the same with it here: both in
 * turn. One turn of each before them is not counted.
 */
export async function machineTime(
  options: RunnerBenchOptions,
  clients: readonly ClientIdentity[],
  host: FarHost,
  moved: Moved,
): Promise<BenchRow[]> {
  const workload = await benchPage(options);
  const rows: BenchRow[] = [];
  for (const client of clients.filter(({ build }) => build !== 'command-line'))
    rows.push(
      ...rowsOf(
        client,
        { host: host.host, moved },
        await turnsWith(options, { client, workload }, await placeThere(options, client, host, moved), moved),
      ),
    );
  return rows;
}

/** The same server, or the same client as the other machine has it, and the link between both machines. */
async function placeThere(
  { serverProvider, port }: RunnerBenchOptions,
  { id }: ClientIdentity,
  host: FarHost,
  moved: Moved,
): Promise<BenchPlace> {
  if (moved === 'server') {
    const place = new FarPlace(host, port);
    const [server = serverProvider] = farServers('server', [serverProvider], place);
    return { network: realLink(new FarLink(place)), server };
  }
  requireOwnAddress(host.hello, host.host);
  const place = new ClientPlace(host, port);
  const [server = serverProvider] = serversHere([serverProvider], place);
  const { answered } = await host.ask('clients', { names: [id], fetches: true });
  const client = clientsOf(answered, [id], host.host).clients.get(id);
  if (client === undefined) throw new H2h3Error('bad-input', `${host.host} said nothing of ${id}`);
  if (client instanceof H2h3Error) throw client;
  const machine = { startWorker: farWorkers(place), cpuCount: host.hello.machine.cpuCount };
  const network = linkFromClient(linkToHere(place));
  return { network, server, clientThere: { machine, client } };
}

async function turnsWith(
  options: RunnerBenchOptions,
  { client, workload }: { readonly client: ClientIdentity; readonly workload: PreparedWorkload },
  there: BenchPlace,
  moved: Moved,
): Promise<ReadonlyMap<Side, readonly Turn[]>> {
  const { serverProvider, tempDir, repetitions, progress, signal } = options;
  const ways: Readonly<Record<Side, BenchPlace>> = {
    here: { network: loopback, server: serverProvider },
    there,
  };
  const benchIn = (place: Side) => ({
    client,
    workload,
    place: ways[place],
    runDir: join(tempDir, `machine-time-${place}-${client.id}`),
  });
  let count = 0;
  const turn = async (runner: Runner, place: Side): Promise<Turn> => {
    const trials = Array.from({ length: inARow }, () => ({
      trial: plannedTrial(count++, {
        client,
        workload,
        server: serverProvider.id,
        factors: { protocol },
        instrumentation: 'uninstrumented',
      }),
    }));
    const times: Awaited<ReturnType<typeof oneTrial>>[] = [];
    for (const [at, { trial }] of trials.entries()) {
      signal.throwIfAborted();
      times.push(await oneTrial(runner, trial, trials.slice(at + 1, at + 3), benchIn(place)));
    }
    return meanOf(times.slice(1));
  };
  // Each has folders of its own: both are there at once.
  const ofPlace = (place: Side): RunnerBenchOptions => {
    const own = join(tempDir, `machine-time-${place}`);
    mkdirSync(own, { recursive: true });
    const isClientThere = ways[place].clientThere !== undefined;
    return { ...options, tempDir: own, ...(isClientThere ? { pinning: clientElsewhere } : {}) };
  };
  return withRunner(ofPlace('here'), benchIn('here'), (here) =>
    withRunner(ofPlace('there'), benchIn('there'), (away) =>
      turnedRounds(sides, { counted: repetitions, warmUps: 1 }, (place, words) => {
        progress(`${client.id}, ${moved} ${place}, ${words}`);
        return turn(place === 'here' ? here : away, place);
      }),
    ),
  );
}

function meanOf(times: readonly Awaited<ReturnType<typeof oneTrial>>[]): Turn {
  const mean = (valueOf: (one: (typeof times)[number]) => number): number =>
    times.reduce((sum, one) => sum + valueOf(one), 0) / times.length;
  const stepOf = (name: string): number => mean(({ steps }) => steps.get(name) ?? 0);
  const names = new Set(times.flatMap(({ steps }) => [...steps.keys()]));
  return {
    otherMs: mean(({ totalMs }) => totalMs) - stepOf(loadStep),
    steps: new Map([...names].map((name) => [name, stepOf(name)] as const)),
  };
}

function rowsOf(
  client: ClientIdentity,
  { host, moved }: { readonly host: string; readonly moved: Moved },
  turns: ReadonlyMap<Side, readonly Turn[]>,
): BenchRow[] {
  const subject = `${client.id} ${client.version}`.trim();
  const valuesOf = (place: Side, valueOf: (turn: Turn) => number): number[] =>
    (turns.get(place) ?? []).map(valueOf);
  const added = (valueOf: (turn: Turn) => number): number[] =>
    addedTo(valuesOf('here', valueOf), valuesOf('there', valueOf));
  const row = (
    quantity: string,
    values: readonly number[],
    more: { readonly atMost?: number; readonly note?: string } = {},
  ): BenchRow => benchRow({ group, subject, quantity, unit: 'ms', values, ...more });
  const otherMs = ({ otherMs: value }: Turn): number => value;
  const names = new Set([...turns.values()].flat().flatMap(({ steps }) => [...steps.keys()]));
  names.delete(loadStep);
  return [
    row(`a trial without load and quiet time, ${moved} here`, valuesOf('here', otherMs)),
    row(`the same, ${moved} on ${host}`, valuesOf('there', otherMs)),
    row('added by the second machine', added(otherMs), {
      atMost: atMostMs,
      note: 'timed trials, both places in turn',
    }),
    ...[...names].map((name) =>
      row(
        `of it: ${name}`,
        added(({ steps }) => steps.get(name) ?? 0),
      ),
    ),
  ];
}
