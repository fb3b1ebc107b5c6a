import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClientIdentity } from '../clients/client.ts';
import type { DoneMessage } from '../trial/worker-process.ts';
import { addedCost, type AddedCostContext, type Addition } from './added-cost.ts';
import type { BenchRow } from './bench-row.ts';

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

/** What a connected script of each library adds to the load of the page that it loads. */
export function scriptCost(
  context: AddedCostContext,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  return addedCost(context, clients, {
    group: 'script cost',
    what: 'script',
    additionsOf: (client) => Promise.all(librariesOf(client).map((library) => journeyWith(context, library))),
  });
}

async function journeyWith({ site, tempDir }: AddedCostContext, library: Library): Promise<Addition> {
  const scriptFile = path.join(tempDir, 'bench-scripts', `${library}.ts`);
  await mkdir(path.dirname(scriptFile), { recursive: true });
  await writeFile(scriptFile, scripts[library]);
  const { deadlineMs } = site.workload;
  return {
    name: library,
    workload: {
      ...site.workload,
      kind: 'journey',
      driver: 'script',
      journey: { scriptFile, stepLimitMs: deadlineMs },
    },
    loadMs: ({ raw }: DoneMessage) => raw.journey?.[0]?.timings?.loadEventEndMs ?? null,
  };
}
