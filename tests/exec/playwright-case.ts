/** A test of Playwright with the fixture, as a project of its own. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkReport } from '../../src/app/playwright/playwright.ts';
import { projectDir, startProgram, type CliResult } from '../support/cli.ts';
import { startLimitMs } from '../support/processes.ts';
import type { OrdinaryUser } from '../support/ordinary-user.ts';
import { execWords } from './exec-cases.ts';

interface PlaywrightReport {
  readonly errors: readonly { readonly message: string }[];
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly ok: boolean;
      readonly tests: readonly {
        readonly results: readonly {
          readonly error?: { readonly message: string };
          readonly attachments: readonly { readonly name: string; readonly body?: string }[];
        }[];
      }[];
    }[];
  }[];
}

export interface PlaywrightProject {
  /** Folder that is made for it. */
  readonly folder: string;
  readonly user: OrdinaryUser | null;
  /** Of the site on this machine's loopback. */
  readonly port: number;
  readonly browserName: 'chromium' | 'firefox';
  readonly launchOptions: object;
  /** What `test.use` says; null: the tests know nothing of h2h3. */
  readonly h2h3: object | null;
  /** Least time from request to answer, ms. */
  readonly minMs: number;
  /** Further tests of the same file. Default: none. */
  readonly further?: string;
}

/** Writes the project; returns the words that run its tests. */
export function playwrightProject(project: PlaywrightProject): readonly string[] {
  const { folder, user, port, browserName, launchOptions, h2h3, minMs, further = '' } = project;
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const playwright = join(folder, 'node_modules/playwright');
  symlinkSync(join(projectDir, 'node_modules/playwright'), playwright);
  const config = {
    workers: 1,
    timeout: startLimitMs,
    outputDir: join(user?.environment['HOME'] ?? folder, 'results'),
    use: { baseURL: `http://localhost:${port}`, browserName, launchOptions },
  };
  const from = h2h3 === null ? 'playwright/test' : join(projectDir, 'src/app/playwright/playwright.ts');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'playwright.config.js'), `export default ${JSON.stringify(config)};`);
  writeFileSync(
    join(folder, 'shop.spec.ts'),
    `import { expect, test } from '${from}';
${h2h3 === null ? '' : `test.use({ h2h3: ${JSON.stringify(h2h3)} });`}
test('shop', async ({ page }) => {
  await page.goto('/300000');
  const waited = await page.evaluate(() => {
    const [own] = performance.getEntriesByType('navigation');
    return own.responseStart - own.requestStart;
  });
  expect(waited).toBeGreaterThan(${minMs});
  expect(await page.evaluate(() => isSecureContext)).toBe(true);
});
${further}`,
  );
  return [process.execPath, join(playwright, 'cli.js'), 'test', '--reporter=json'];
}

export interface PlaywrightResult extends CliResult {
  /** What went wrong, in words; empty: nothing. */
  readonly said: string;
  /** Titles of the tests that failed. */
  readonly failed: readonly string[];
  /** What the fixture attached; null where it attached nothing. */
  readonly attached: LinkReport | null;
}

/** Runs its tests, behind `h2h3 exec` with these words where there are any. */
export async function runPlaywright(
  project: PlaywrightProject,
  exec: readonly string[] | null = null,
): Promise<PlaywrightResult> {
  const { user, folder } = project;
  const tests = playwrightProject(project);
  const words =
    exec === null ? [...(user?.prefix ?? []), ...tests] : execWords(user, [...exec, '--', ...tests]);
  const result = await startProgram(words, user?.environment ?? {}, { cwd: folder }).result;
  if (!result.stdout.startsWith('{'))
    return { ...result, said: result.stderr + result.stdout, failed: [], attached: null };
  const { suites, errors } = JSON.parse(result.stdout) as PlaywrightReport;
  const results = suites.flatMap(({ specs }) =>
    specs.flatMap(({ tests: all }) => all.flatMap((one) => one.results)),
  );
  const faults = [...errors, ...results.flatMap(({ error }) => error ?? [])].map(({ message }) => message);
  const body = results[0]?.attachments.find(({ name }) => name === 'h2h3')?.body;
  const attached =
    body === undefined ? null : (JSON.parse(Buffer.from(body, 'base64').toString()) as LinkReport);
  const failed = suites.flatMap(({ specs }) => specs.flatMap(({ title, ok }) => (ok ? [] : [title])));
  return { ...result, said: faults.join('\n'), failed, attached };
}
