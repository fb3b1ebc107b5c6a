import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';
import { inPage } from './opened-report.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type ColourScheme = 'light' | 'dark';

/** Rules of axe that ask for colours. Style sheets of reports set nothing else by the scheme, so the others say the same in both. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong with a page in a colour scheme: by every rule in the light one, by those that ask for colours in the dark one. */
export async function axeViolations(page: Page, scheme: ColourScheme): Promise<string[]> {
  await page.evaluate(axeSource);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const options = scheme === 'light' ? {} : { runOnly: { type: 'rule', values: rulesOfColours } };
  const { violations } = await inPage<{ violations: readonly Violation[] }>(
    page,
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${scheme} ${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
