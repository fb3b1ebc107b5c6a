import { chromium } from 'playwright';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import type { TrickySite } from './tricky-site.ts';
import { testEnvironment } from './test-scope.ts';

/** The page waits for what may come late itself; a machine under load must not cut it off. */
const limitMs = 120_000;

/** Loads the tricky site in a browser that Playwright drives and records; resolves with the address in which the page reports. */
export async function recordByPlaywright(
  zipFile: string,
  { executablePath, environment }: ClientIdentity,
  { connectTo }: TrickySite,
): Promise<string> {
  const rules = connectTo.map((rule) => `MAP ${rule.replace(/^([^:]+:\d+):/, '$1 ')}`);
  const browser = await chromium.launch({
    executablePath,
    timeout: limitMs,
    env: { ...(process.env as Record<string, string>), ...environment, ...testEnvironment() },
    args: [
      `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND'].join(',')}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  try {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width: 1350, height: 940 },
      recordHar: { path: zipFile, content: 'attach' },
    });
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    const reported = page.waitForResponse((answer) => answer.url().includes('/report?'), {
      timeout: limitMs,
    });
    await page.goto('https://site.test/', { timeout: limitMs });
    const report = (await reported).url();
    await context.close();
    return report;
  } finally {
    await browser.close();
  }
}
