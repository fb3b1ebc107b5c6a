import type { Agreement, PublishedResult } from '../../src/core/model/published.ts';
import { plural } from './numbers.ts';

export const agreementWords: Readonly<Record<Agreement, string>> = {
  same: 'direction as published',
  partly: 'partly as published',
  other: 'contradicted',
  undecided: 'not decided',
  'precondition absent': 'precondition absent',
  'no direction': 'no direction published',
  'not measured': 'not measured',
};

/** A sign for each outcome, for whom colours do not reach. */
export const agreementMarks: Readonly<Record<Agreement, string>> = {
  same: '✓',
  partly: '±',
  other: '✗',
  undecided: '?',
  'precondition absent': '∅',
  'no direction': '·',
  'not measured': '–',
};

/** The outcome alone, with its size where that agrees too. */
export function outcomeWords({
  agreement,
  sizeAgrees,
}: Pick<PublishedResult, 'agreement' | 'sizeAgrees'>): string {
  return agreement === 'same' && sizeAgrees === true
    ? 'direction and size as published'
    : agreementWords[agreement];
}

function sidesWords({ sides, agreement }: Pick<PublishedResult, 'sides' | 'agreement'>): string[] {
  if (sides === undefined) return [];
  const { same, other, of } = sides;
  if (agreement === 'same')
    return [`in ${same} of ${of} comparisons`, ...(other > 0 ? [`${other} against`] : [])];
  if (agreement === 'other')
    return [`in ${other} of ${of} comparisons`, ...(same > 0 ? [`${same} as published`] : [])];
  return [`${same} of ${of} comparisons as published`, ...(other > 0 ? [`${other} against`] : [])];
}

type Told = Pick<
  PublishedResult,
  'agreement' | 'sizeAgrees' | 'sides' | 'part' | 'pool' | 'oneClient' | 'absent' | 'afterTheFact'
>;

/** The outcome, and all that keeps it from being one of the whole claim. */
export function agreementText(result: Told): string {
  const { agreement, part, pool, oneClient, absent, afterTheFact } = result;
  const isSame = agreement === 'same';
  return [
    absent === undefined ? outcomeWords(result) : `${outcomeWords(result)}: ${absent}`,
    ...sidesWords(result),
    ...(part === undefined ? [] : [`at ${part.here} of ${part.all} conditions`]),
    ...(isSame && pool === true ? ['over pooled pages'] : []),
    ...(isSame && oneClient === true ? ['with one client of several'] : []),
    ...(afterTheFact === true ? ['judged after the fact'] : []),
  ].join(', ');
}

/** How many campaigns said so; nothing of a single one that is told elsewhere. */
export function campaignWords({
  campaigns = [],
  agreement,
}: Pick<PublishedResult, 'campaigns' | 'agreement'>): string {
  if (agreement === 'not measured' || agreement === 'no direction' || campaigns.length === 0) return '';
  if (campaigns.length === 1) return 'one campaign';
  const same = campaigns.filter((each) => each.agreement === agreement).length;
  return same === campaigns.length
    ? `in each of ${campaigns.length} campaigns`
    : `in ${same} of ${campaigns.length} campaigns`;
}

const order: readonly Agreement[] = [
  'same',
  'partly',
  'other',
  'undecided',
  'precondition absent',
  'not measured',
];

/** Whether it is to be said in what the set-ups differ. */
export function isUnexplained(agreement: Agreement): boolean {
  return ['other', 'partly', 'undecided'].includes(agreement);
}

/** How many results there are, and how each came out. Every result counts once, so that the counts add up to all. */
export function countsLine(results: readonly PublishedResult[]): string {
  const own = results.filter(({ countedIn }) => countedIn === undefined);
  const claims = own.filter(({ expects }) => expects !== undefined);
  const frozen = claims.filter(({ afterTheFact }) => afterTheFact !== true);
  const counts = [
    ...order.map(
      (agreement) =>
        [frozen.filter((claim) => claim.agreement === agreement).length, agreementWords[agreement]] as const,
    ),
    [claims.length - frozen.length, 'judged after the fact'] as const,
    [own.length - claims.length, 'without a direction'] as const,
    [results.length - own.length, 'counted elsewhere'] as const,
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${plural(results.length, 'result')}: ${said.join(', ')}`;
}
