import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error } from '../../src/model/errors.ts';
import type { PreparedWorkload } from '../../src/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { singleTrial } from '../trial/single-trial.ts';
import type { DoneMessage } from '../trial/worker-process.ts';
import { benchRow, rowsOrWhyNot, type BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';
import { addedTo, turnedRounds, upperBoundPercent, type Centre } from './turned-rounds.ts';

const group = 'script cost';

/** The shortest script there is: it loads the page, in one step. */
const scripts = {
  Playwright: `import { test } from 'h2h3/journey';
test('page', async ({ page }) => void (await page.goto('')));
`,
  Puppeteer: `import { step } from 'h2h3/journey';
export default ({ page, url }) => step('page', () => page.goto(url));
`,
} as const;
type Library = keyof typeof scripts;

const librariesOf = ({ family }: ClientIdentity): readonly Library[] =>
  family === 'chromium' ? ['Playwright', 'Puppeteer'] : ['Puppeteer'];

const protocols = ['h2', 'h3'] as const;
type Protocol = (typeof protocols)[number];

/** What is loaded in one trial of a round. */
interface Variant {
  readonly protocol: Protocol;
  readonly library: Library | null;
}

/** Load times by round, ms. */
type LoadsMs = (protocol: Protocol, library: Library | null) => readonly number[];

interface Measured {
  readonly loadsMs: LoadsMs;
  readonly centreOf: Centre;
}

/**
 * What a connected script adds to the load of the page that it loads: in every round the page is loaded over each protocol without
 * and with one of each library, and the added time is that of the round, as is the difference of what it is over both.
 */
export async function scriptCost(
  context: BenchTrialContext & { readonly centreOf: Centre },
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const client of clients) {
    const missing = { group, subject: client.id, quantity: 'cost of a script' } as const;
    rows.push(...(await rowsOrWhyNot(missing, context.signal, () => costWith(context, client))));
  }
  return rows;
}

async function costWith(
  context: BenchTrialContext & { readonly centreOf: Centre },
  client: ClientIdentity,
): Promise<BenchRow[]> {
  const libraries = librariesOf(client);
  const { centreOf } = context;
  const variants = protocols.flatMap((protocol) =>
    [null, ...libraries].map((library): Variant => ({ protocol, library })),
  );
  const rounds = { counted: context.repetitions, warmUps: 1 };
  const loads = await turnedRounds(variants, rounds, async ({ protocol, library }, words) => {
    context.progress(`${client.id}, ${protocol}, ${library ?? 'no script'}, ${words}`);
    const workload = await workloadWith(context, library);
    const probes = ['cpu'];
    const { done } = await singleTrial(context, { client, workload, protocol, probes, watch: 'bare' });
    return loadMs(done, library);
  });
  const loadsMs: LoadsMs = (protocol, library) =>
    [...loads].find(([one]) => one.protocol === protocol && one.library === library)?.[1] ?? [];
  return [
    ...protocols.flatMap((protocol) => rowsOver(protocol, { loadsMs, centreOf }, libraries, client)),
    ...libraries.map((library) => protocolsRow(library, { loadsMs, centreOf }, client)),
  ];
}

function rowsOver(
  protocol: Protocol,
  { loadsMs, centreOf }: Measured,
  libraries: readonly Library[],
  client: ClientIdentity,
): BenchRow[] {
  const subject = `${client.id}, ${protocol}`;
  const bare = loadsMs(protocol, null);
  return [
    benchRow({ group, subject, quantity: 'load without a script', unit: 'ms', values: bare }),
    ...libraries.flatMap((library) => {
      const addedMs = addedTo(bare, loadsMs(protocol, library));
      const row = (quantity: string, unit: string, values: readonly number[]): BenchRow =>
        benchRow({ group, subject: `${subject}: ${library}`, quantity, unit, values });
      const bound = [upperBoundPercent(addedMs, bare, centreOf)].filter(Number.isFinite);
      return [row('added load time', 'ms', addedMs), row('added load time, upper 95 % bound', '%', bound)];
    }),
  ];
}

/** Whether the script costs the arms of a comparison alike: what it adds over HTTP/3 less what it adds over HTTP/2. */
function protocolsRow(library: Library, { loadsMs, centreOf }: Measured, client: ClientIdentity): BenchRow {
  const addedMs = (protocol: Protocol): number[] =>
    addedTo(loadsMs(protocol, null), loadsMs(protocol, library));
  const values = addedTo(addedMs('h2'), addedMs('h3'));
  return benchRow({
    group,
    subject: `${client.id}: ${library}`,
    unit: 'ms',
    values,
    quantity: 'added load time over h3 less that over h2',
    note: biasWords(values, centreOf),
  });
}

/** What the arms of a journey may differ by because of the script, from what its cost over both protocols differed by. */
export function biasWords(differencesMs: readonly number[], centreOf: Centre): string {
  const found = centreOf(differencesMs, 0.95);
  if (found === null) return 'too few rounds: whether it is alike is not known';
  const [lowMs, highMs] = found.interval.map((bound) => Math.round(bound)) as [number, number];
  const interval = `${Math.round(found.estimate)} ms, 95 % interval ${lowMs} to ${highMs} ms`;
  const mostMs = Math.max(Math.abs(lowMs), Math.abs(highMs));
  return found.interval[0] <= 0 && found.interval[1] >= 0
    ? `${interval}: no difference shown; one of up to ${mostMs} ms between the arms of a journey may be the script's`
    : `${interval}: it is not alike, and biases journeys by up to ${mostMs} ms`;
}

/** The page itself, or a journey to it. */
async function workloadWith(
  { site, tempDir }: BenchTrialContext,
  library: Library | null,
): Promise<PreparedWorkload> {
  if (library === null) return site.workload;
  const scriptFile = path.join(tempDir, 'bench-scripts', `${library}.ts`);
  await mkdir(path.dirname(scriptFile), { recursive: true });
  await writeFile(scriptFile, scripts[library]);
  const { deadlineMs } = site.workload;
  return {
    ...site.workload,
    kind: 'journey',
    driver: 'script',
    journey: { scriptFile, stepLimitMs: deadlineMs },
  };
}

function loadMs({ raw }: DoneMessage, library: Library | null): number {
  const timings = library === null ? raw.timings : raw.journey?.[0]?.timings;
  const loadEventEndMs = timings?.loadEventEndMs ?? null;
  if (loadEventEndMs === null)
    throw new H2h3Error('process-failed', 'a bench trial has no load time', {
      context: { script: library ?? 'none' },
    });
  return loadEventEndMs;
}
