import type { WorkloadKind } from '../../src/core/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { probes } from '../probes/registry.ts';
import { singleTrial } from '../trial/single-trial.ts';
import { benchRow, rowsOrReason, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { addedTo, turnedRounds, upperBoundPercent, type Centre } from './turned-rounds.ts';

const group = 'probe cost';

const nothing = 'none';

/**
 * A name for each set of probes that is compared with none at all: every probe alone, and all usual ones together; or those that are
 * asked for alone.
 */
export function probeVariants(
  kind: WorkloadKind,
  asked?: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const measured = probes.filter(
    ({ kinds, measuresAgain }) => measuresAgain !== true && (kinds?.includes(kind) ?? true),
  );
  const readers = measured.filter(({ accountsCpu }) => accountsCpu === true).map(({ id }) => id);
  const others = measured.filter(({ accountsCpu }) => accountsCpu !== true);
  const usual = others.filter(({ recorded }) => recorded !== 'asked').map(({ id }) => id);
  const alone = others.filter(({ id }) => asked?.includes(id) ?? true);
  return new Map([
    [nothing, []],
    [readers.join(' and '), readers],
    ...alone.map(({ id }): [string, string[]] => [id, [id, ...readers]]),
    ...(asked === undefined ? [[usual.join(' and '), [...usual, ...readers]] as const] : []),
  ]);
}

interface Sample {
  readonly loadMs: number;
  readonly cpuMs: number;
}

/**
 * What each probe adds to the load time and to the CPU time of the browser; differences are within rounds. Over a link of its own where one can be
 * had, because some probes watch what is the client's alone.
 */
export async function probeCost(
  context: BenchTrialContext & {
    readonly centreOf: Centre;
    readonly probeIds?: readonly string[] | undefined;
  },
  client: ClientIdentity,
  where: string,
): Promise<BenchRow[]> {
  const { probeIds } = context;
  const again = probes.filter(
    ({ id, measuresAgain }) => measuresAgain === true && (probeIds?.includes(id) ?? true),
  );
  const variants = probeVariants('page', probeIds);
  const rows = again.map(({ id }) => {
    const note = 'begins when the trial has been measured';
    return benchRow({ group, subject: id, quantity: 'added load time', unit: 'ms', values: [], note });
  });
  for (const protocol of ['h2', 'h3'] as const) {
    const subject = `${client.id}, ${protocol}, ${where}`;
    const cost = (): Promise<BenchRow[]> => costOver({ ...context, variants }, client, protocol, subject);
    rows.push(...(await rowsOrReason({ group, subject, quantity: 'cost of probes' }, context.signal, cost)));
  }
  return rows;
}

async function costOver(
  context: BenchTrialContext & {
    readonly centreOf: Centre;
    readonly variants: ReadonlyMap<string, readonly string[]>;
  },
  client: ClientIdentity,
  protocol: 'h2' | 'h3',
  subject: string,
): Promise<BenchRow[]> {
  const { variants, site, postProcess } = context;
  const { workload } = site;
  const names = [...variants.keys()];
  const [, accounts = nothing] = names;
  const notes = new Map<string, string>();
  const rounds = { counted: context.repetitions, warmUps: 0 };
  const samples = await turnedRounds(names, rounds, async (name, words): Promise<Sample> => {
    context.progress(`${subject}, ${name}, ${words}`);
    const recording = {
      probes: variants.get(name) ?? [],
      instrumentation: 'instrumented',
      postProcess,
    } as const;
    const { done } = await singleTrial(context, { client, workload, protocol, ...recording });
    const { raw } = done;
    const [unable] = raw.unrecorded ?? [];
    if (unable !== undefined) notes.set(name, unable);
    const cpuSeconds = raw.cpu?.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0) ?? 0;
    return { loadMs: raw.timings?.loadEventEndMs ?? 0, cpuMs: cpuSeconds * 1000 };
  });
  // What a probe that could not record costs is not known.
  const able = names.filter((name) => !notes.has(name));
  const unknown = [...notes].map(([name, note]) =>
    benchRow({ ...ofProbe(subject, name), quantity: 'cost', unit: 'ms', values: [], note }),
  );
  return [...costRows(able, accounts, { samples, centreOf: context.centreOf }, subject), ...unknown];
}

/** Whose cost a row is. */
const ofProbe = (where: string, id: string): Pick<BenchRow, 'group' | 'subject' | 'probe'> => ({
  group,
  subject: `${where}: ${id}`,
  probe: { id, where },
});

function costRows(
  names: readonly string[],
  accounts: string,
  {
    samples,
    centreOf,
  }: { readonly samples: ReadonlyMap<string, readonly Sample[]>; readonly centreOf: Centre },
  subject: string,
): BenchRow[] {
  const row = (name: string, quantity: string, values: number[]): BenchRow =>
    benchRow({ ...ofProbe(subject, name), quantity, unit: 'ms', values });
  const of = (name: string, value: (sample: Sample) => number): number[] =>
    (samples.get(name) ?? []).map(value);
  const added = (name: string, base: string, value: (sample: Sample) => number): number[] =>
    addedTo(of(base, value), of(name, value));
  const loadMs = (sample: Sample): number => sample.loadMs;
  const timed = of(nothing, loadMs);
  const bound = (name: string): BenchRow =>
    benchRow({
      ...ofProbe(subject, name),
      quantity: 'added load time, upper 95 % bound',
      unit: '%',
      values: [upperBoundPercent(added(name, nothing, loadMs), timed, centreOf)].filter(Number.isFinite),
    });
  const cpuMs = (sample: Sample): number => sample.cpuMs;
  return [
    row(nothing, 'load time', of(nothing, loadMs)),
    row(accounts, 'CPU time of the browser', of(accounts, cpuMs)),
    row(accounts, 'added load time', added(accounts, nothing, loadMs)),
    ...names
      .filter((name) => name !== nothing && name !== accounts)
      .flatMap((name) => [
        row(name, 'added load time', added(name, nothing, loadMs)),
        bound(name),
        row(name, 'added CPU time of the browser', added(name, accounts, cpuMs)),
      ]),
  ];
}
