import type { Agreement, PublishedResult } from '../../src/core/model/published.ts';
import { plural } from './numbers.ts';

export const agreementWords: Readonly<Record<Agreement, string>> = {
  same: 'as published',
  partly: 'partly as published',
  other: 'contradicted',
  undecided: 'not decided',
  'no direction': 'no direction published',
  'not measured': 'not measured',
};

/** A sign for each outcome, for whom colours do not reach. */
export const agreementMarks: Readonly<Record<Agreement, string>> = {
  same: '✓',
  partly: '±',
  other: '✗',
  undecided: '?',
  'no direction': '·',
  'not measured': '–',
};

/** The outcome, and at how many of its conditions it was looked for where those are not all. */
export function agreementText({ agreement, part }: Pick<PublishedResult, 'agreement' | 'part'>): string {
  const at = part === undefined ? '' : `, at ${part.here} of ${part.all} conditions`;
  return `${agreementWords[agreement]}${at}`;
}

const order: readonly Agreement[] = ['same', 'partly', 'other', 'undecided', 'not measured'];

/** Whether it is to be said in what the set-ups differ. */
export function isUnexplained(agreement: Agreement): boolean {
  return ['other', 'partly', 'undecided'].includes(agreement);
}

/** How many results there are, and how each came out. Every result counts once, so that the counts add up to all. */
export function countsLine(results: readonly PublishedResult[]): string {
  const own = results.filter(({ countedIn }) => countedIn === undefined);
  const claims = own.filter(({ expects }) => expects !== undefined);
  const counts = [
    ...order.map(
      (agreement) =>
        [claims.filter((claim) => claim.agreement === agreement).length, agreementWords[agreement]] as const,
    ),
    [own.length - claims.length, 'without a direction'] as const,
    [results.length - own.length, 'counted elsewhere'] as const,
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${plural(results.length, 'result')}: ${said.join(', ')}`;
}
