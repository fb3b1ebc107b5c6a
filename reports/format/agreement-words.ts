import type { Agreement, PublishedResult } from '../../src/model/published.ts';

export const agreementWords: Readonly<Record<Agreement, string>> = {
  same: 'as published',
  partly: 'partly as published',
  other: 'contradicted',
  undecided: 'not decided',
  'no direction': 'no direction published',
  'not measured': 'not measured',
};

const order: readonly Agreement[] = ['same', 'partly', 'other', 'undecided', 'not measured'];

/** Whether it is to be said in what the set-ups differ. */
export function isUnexplained(agreement: Agreement): boolean {
  return ['other', 'partly', 'undecided'].includes(agreement);
}

/** So many claims are named, for the line to stay one. */
const mostNamed = 1;

/** The outcomes of an experiment's results with a direction, and by name those that are not as published. */
export function outcomeLine(results: readonly PublishedResult[]): string {
  const claims = results.filter(({ expects }) => expects !== undefined);
  if (claims.length === 0) return 'The text has no result to compare with.';
  const counts = order.flatMap((agreement) => {
    const count = claims.filter((claim) => claim.agreement === agreement).length;
    return count === 0 ? [] : [`${count} ${agreementWords[agreement]}`];
  });
  const others = claims.filter(({ agreement }) => agreement === 'other').map(({ experiment }) => experiment);
  const named = others.slice(0, mostNamed).join(', ');
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  return `${counts.join(', ')}.${others.length === 0 ? '' : ` Contradicted: ${named}${more}.`}`;
}
