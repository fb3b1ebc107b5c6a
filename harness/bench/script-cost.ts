import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PreparedWorkload } from '../../src/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { usualProbes } from '../probes/selection.ts';
import type { DoneMessage } from '../trial/worker-process.ts';
import { benchRow, rowsOrWhyNot, type BenchRow } from './bench-row.ts';
import { benchTrial, type BenchTrialContext } from './bench-trials.ts';
import { upperBoundPercent } from './probe-cost.ts';

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

/**
 * What a connected script adds to the load of the page that it loads: in every round the page is loaded without and with one of
 * each library, in an order that turns from round to round, and the added time is that of the round. One round before
 * them is not counted.
 */
export async function scriptCost(
  context: BenchTrialContext,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const client of clients)
    for (const protocol of ['h2', 'h3'] as const) {
      const subject = `${client.id}, ${protocol}`;
      const cost = (): Promise<BenchRow[]> => costOver(context, client, protocol, subject);
      rows.push(
        ...(await rowsOrWhyNot({ group, subject, quantity: 'cost of a script' }, context.signal, cost)),
      );
    }
  return rows;
}

async function costOver(
  context: BenchTrialContext,
  client: ClientIdentity,
  protocol: 'h2' | 'h3',
  subject: string,
): Promise<BenchRow[]> {
  const libraries = librariesOf(client);
  const variants = [null, ...libraries];
  const loads = new Map<Library | null, number[]>(variants.map((variant) => [variant, []]));
  for (let round = 0; round <= context.repetitions; round++)
    for (const at of variants.keys()) {
      const variant = variants[(at + round) % variants.length] ?? null;
      context.progress(`${subject}, ${variant ?? 'no script'}, ${round} of ${context.repetitions}`);
      const workload = await workloadWith(context, variant);
      const { done } = await benchTrial({ ...context, site: { workload } }, client, protocol, usualProbes);
      if (round > 0) loads.get(variant)?.push(loadMs(done, variant));
    }
  const bare = loads.get(null) ?? [];
  return [
    benchRow({ group, subject, quantity: 'load without a script', unit: 'ms', values: bare }),
    ...libraries.flatMap((library) => rowsOf(library, loads.get(library) ?? [], bare, subject)),
  ];
}

function rowsOf(
  library: Library,
  loads: readonly number[],
  bare: readonly number[],
  subject: string,
): BenchRow[] {
  const addedMs = loads.map((one, round) => one - (bare[round] ?? Number.NaN));
  const row = (quantity: string, unit: string, values: readonly number[]): BenchRow =>
    benchRow({ group, subject: `${subject}: ${library}`, quantity, unit, values });
  const bound = [upperBoundPercent(addedMs, bare)].filter(Number.isFinite);
  return [
    row('added load time', 'ms', addedMs),
    row('added load time, upper 95 % bound of the mean', '%', bound),
  ];
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

function loadMs({ raw }: DoneMessage, variant: Library | null): number {
  const timings = variant === null ? raw.timings : (raw.journey?.[0]?.timings ?? null);
  return timings?.loadEventEndMs ?? Number.NaN;
}
