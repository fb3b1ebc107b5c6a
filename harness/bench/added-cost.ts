import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { singleTrial } from '../trial/single-trial.ts';
import type { TrialOrder } from '../trial/worker-protocol.ts';
import type { DoneMessage } from '../trial/worker-process.ts';
import { benchRow, rowsOrReason, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { addedTo, turnedRounds, upperBoundPercent, type Centre } from './turned-rounds.ts';

/** Something that may slow the load of a page, and how it is brought about. */
export interface Addition {
  readonly name: string;
  /** The page of the bench, changed. */
  readonly workload: PreparedWorkload;
  /** What else the trial's order says. */
  readonly order?: Pick<TrialOrder, 'access'>;
  /** Load time of such a trial, ms. */
  readonly loadMs: (done: DoneMessage) => number | null;
}

export interface AddedCostContext extends BenchTrialContext {
  readonly centreOf: Centre;
}

interface AddedCostOptions {
  readonly group: BenchRow['group'];
  /** What the page is without, such as `script`. */
  readonly what: string;
  readonly additionsOf: (client: ClientIdentity) => Promise<readonly Addition[]>;
}

const protocols = ['h2', 'h3'] as const;
type Protocol = (typeof protocols)[number];

/** What is loaded in one trial of a round. */
interface Variant {
  readonly protocol: Protocol;
  readonly addition: Addition | null;
}

/** Load times by round, ms. */
type LoadsMs = (protocol: Protocol, addition: Addition | null) => readonly number[];

export const loadOfPage = ({ raw }: DoneMessage): number | null => raw.timings?.loadEventEndMs ?? null;

/**
 * What each addition adds to the load of one page: in every round the page is loaded over each protocol without any and with each,
 * and the added time is that of the round, as is the difference of what it is over both.
 */
export async function addedCost(
  context: AddedCostContext,
  clients: readonly ClientIdentity[],
  options: AddedCostOptions,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const client of clients) {
    const missing = { group: options.group, subject: client.id, quantity: `cost of a ${options.what}` };
    rows.push(...(await rowsOrReason(missing, context.signal, () => costWith(context, client, options))));
  }
  return rows;
}

async function costWith(
  context: AddedCostContext,
  client: ClientIdentity,
  { group, what, additionsOf }: AddedCostOptions,
): Promise<BenchRow[]> {
  const additions = await additionsOf(client);
  const { centreOf } = context;
  const variants = protocols.flatMap((protocol) =>
    [null, ...additions].map((addition): Variant => ({ protocol, addition })),
  );
  const rounds = { counted: context.repetitions, warmUps: 1 };
  const loads = await turnedRounds(variants, rounds, ({ protocol, addition }, words) => {
    context.progress(`${client.id}, ${protocol}, ${addition?.name ?? `no ${what}`}, ${words}`);
    return loadTime(context, client, { protocol, addition });
  });
  const loadsMs: LoadsMs = (protocol, addition) =>
    [...loads].find(([one]) => one.protocol === protocol && one.addition === addition)?.[1] ?? [];
  return [
    ...protocols.flatMap((protocol) => {
      const subject = `${client.id}, ${protocol}`;
      const timed = loadsMs(protocol, null);
      return [
        benchRow({ group, subject, quantity: `load without a ${what}`, unit: 'ms', values: timed }),
        ...additions.flatMap((addition) =>
          costRows(`${subject}: ${addition.name}`, group, {
            timed,
            with: loadsMs(protocol, addition),
            centreOf,
          }),
        ),
      ];
    }),
    ...additions.flatMap((addition) =>
      protocolsRows(`${client.id}: ${addition.name}`, group, { loadsMs, addition, centreOf }),
    ),
  ];
}

async function loadTime(
  context: AddedCostContext,
  client: ClientIdentity,
  { protocol, addition }: Variant,
): Promise<number> {
  const workload = addition?.workload ?? context.site.workload;
  const { done } = await singleTrial(context, {
    client,
    workload,
    protocol,
    probes: ['cpu'],
    instrumentation: 'uninstrumented',
    ...addition?.order,
  });
  return (addition?.loadMs ?? loadOfPage)(done) ?? Number.NaN;
}

interface Measured {
  readonly timed: readonly number[];
  readonly with: readonly number[];
  readonly centreOf: Centre;
}

function costRows(
  subject: string,
  group: BenchRow['group'],
  { timed, with: loads, centreOf }: Measured,
): BenchRow[] {
  const addedMs = addedTo(timed, loads);
  const row = (quantity: string, unit: string, values: readonly number[]): BenchRow =>
    benchRow({ group, subject, quantity, unit, values });
  const bound = [upperBoundPercent(addedMs, timed, centreOf)].filter(Number.isFinite);
  return [row('added load time', 'ms', addedMs), row('added load time, upper 95 % bound', '%', bound)];
}

/** Of the row whose samples are the logarithms of (HTTP/3 with ÷ without) ÷ (HTTP/2 with ÷ without), round by round. */
export const ratioOfProtocols = 'added to h3 against added to h2';

/** Whether it costs the arms of a comparison alike: what it adds over HTTP/3 less what it adds over HTTP/2. */
function protocolsRows(
  subject: string,
  group: BenchRow['group'],
  {
    loadsMs,
    addition,
    centreOf,
  }: { readonly loadsMs: LoadsMs; readonly addition: Addition; readonly centreOf: Centre },
): BenchRow[] {
  const addedMs = (protocol: Protocol): number[] =>
    addedTo(loadsMs(protocol, null), loadsMs(protocol, addition));
  const values = addedTo(addedMs('h2'), addedMs('h3'));
  const quantity = 'added load time over h3 less that over h2';
  const logRatios = (protocol: Protocol): number[] =>
    loadsMs(protocol, addition).map((ms, round) => Math.log(ms / (loadsMs(protocol, null)[round] ?? NaN)));
  const samples = addedTo(logRatios('h2'), logRatios('h3')).filter(Number.isFinite);
  const percents = samples.map((sample) => 100 * Math.expm1(sample));
  return [
    benchRow({ group, subject, unit: 'ms', values, quantity, note: biasWords(values, centreOf) }),
    benchRow({ group, subject, unit: '%', values: percents, quantity: ratioOfProtocols, samples }),
  ];
}

/** What arms may differ by because of an addition, from what its cost over both protocols differed by. */
export function biasWords(differencesMs: readonly number[], centreOf: Centre): string {
  const found = centreOf(differencesMs, 0.95);
  if (found === null) return 'too few rounds: whether it is alike is not known';
  const [lowMs, highMs] = found.interval.map((bound) => Math.round(bound)) as [number, number];
  const interval = `${Math.round(found.estimate)} ms, 95 % interval ${lowMs} to ${highMs} ms`;
  const maxMs = Math.max(Math.abs(lowMs), Math.abs(highMs));
  return found.interval[0] <= 0 && found.interval[1] >= 0
    ? `${interval}: no difference shown; it may make one of up to ${maxMs} ms between the arms`
    : `${interval}: it is not alike, and biases comparisons by up to ${maxMs} ms`;
}
