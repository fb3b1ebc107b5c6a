import type { Agreement, StudySign } from '../../src/model/studies.ts';
import { formatRatioPercent } from './numbers.ts';

/** One comparison that a direction rests on, such as `download-1kb, curl, cable: h3 against h2 −12 % (−15 % to −9 %)`. */
export function signWords({
  workload,
  client,
  network,
  baseline,
  candidate,
  ratio,
  ratioInterval,
}: StudySign['evidence'][number]): string {
  const range =
    ratioInterval === null ? 'no interval' : ratioInterval.map((end) => formatRatioPercent(end)).join(' to ');
  return `${[workload, client, network].join(', ')}: ${candidate} against ${baseline} ${formatRatioPercent(ratio)} (${range})`;
}

/** Whether it is to be said in what the set-ups differ. */
export function isUnexplained(agreement: Agreement): boolean {
  return ['other', 'partly', 'undecided', 'same, small'].includes(agreement);
}
