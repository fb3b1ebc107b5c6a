import { sentenceCase } from '../../core/model/sentence-case.ts';
import { pairNames } from '../../core/factors/arm-name.ts';
import { candidateOf, costsOf, listed } from './clauses.ts';
import type { Finding } from './findings.ts';
import { isUntested } from './findings.ts';
import type { HeadlineFindings, Sentence } from './headline-findings.ts';
import { nounsOf } from './headline-findings.ts';

/** What a baseline without a risk did. */
const unrisked = (baseline: string): string =>
  `${baseline} never stalled, and kept its track once it had settled.`;

export const unriskedSentence = (baseline: string): string => `Nothing was at risk. ${unrisked(baseline)}`;

/** What the plan asks of users; all that is known of them where it asks something else. */
export function askedOf(users: readonly Finding[]): readonly Finding[] {
  const primary = users.filter((finding) => finding.primary);
  return primary.length > 0 ? primary : users;
}

/** Where nothing was at risk of what was asked: no result, whatever else is the same. */
export function untestedHeadlines(findings: HeadlineFindings): Sentence[] {
  const [first] = askedOf(findings.users).filter(isUntested);
  if (first === undefined) return [];
  const text = 'Nothing was at risk here';
  const candidate = candidateOf(first.pair);
  return [
    ...costsOf(findings, ({ pair }) => pair === first.pair).map(({ cost, paid }) => ({
      text: `${text}, and ${candidate} takes ${paid}`,
      of: [first, cost],
    })),
    { text: `${text}, so this run cannot tell whether ${candidate} plays better`, of: [first] },
    { text: `${text}, so this run cannot tell which side plays better`, of: [first] },
  ];
}

/** What could hardly differ, and why; empty where everything could. */
export function untestedDetail(users: readonly Finding[]): string {
  const untested = users.filter(isUntested);
  const [first] = untested;
  if (first === undefined) return '';
  const { baseline } = pairNames(first.pair.baseline, first.pair.candidate);
  return `${unrisked(baseline)} ${sentenceCase(listed(nounsOf(untested)))} could hardly differ.`;
}
