import { sentenceCase } from '../../core/model/sentence-case.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Names } from '../../core/model/names.ts';
import type { RunContrast } from '../../core/model/run-comparison.ts';
import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { maxHeadlineCharacters } from '../../core/model/first-screen.ts';
import { headlineWords, wholeWord } from './headline-words.ts';
import { cut } from '../../core/model/cut.ts';
import { counted, percent, pText, quantity, signedPercent } from '../figures/figures.ts';

const maxArmCharacters = 20;
/** Primary contrasts told in full; the others are counted. */
const maxSentences = 4;

function signed(value: number, { ratio, unit }: RunContrast): string {
  if (ratio !== null) return signedPercent(value);
  return `${value < 0 ? '−' : '+'}${quantity(value, unit)}`;
}

function evidence(contrast: RunContrast): string {
  const { ratio, ratioInterval, differenceInterval, adjustedPValue, a, b } = contrast;
  const interval = ratio !== null ? ratioInterval : differenceInterval;
  return [
    interval === null
      ? 'no interval'
      : `95 % interval ${signed(interval[0], contrast)} to ${signed(interval[1], contrast)}`,
    ...(adjustedPValue === null ? [] : [`adjusted ${pText(adjustedPValue)}`]),
    `${a.n} and ${counted(b.n, 'block')}`,
  ].join(', ');
}

/** What became of the gap between two arms, claiming no more than the verdict. */
function gapSentence(contrast: RunContrast, names: Names): string {
  const { workload, workloadKind, client, network, metric, arms, verdict, reason } = contrast;
  const title = metricDefinition(metric)?.title ?? metric;
  const [baseline = '', candidate = ''] = arms.map(armNameOfLabel);
  const lead = `${names.workload(workload, workloadKind)}, ${names.client(client)}, ${names.shortNetwork(network)}: ${title} of ${candidate} relative to ${baseline}`;
  const estimate = contrast.ratio ?? contrast.difference;
  const change = estimate === null ? 'no estimate' : signed(estimate, contrast);
  switch (verdict) {
    case 'better':
    case 'worse':
      return `${lead} is ${verdict} in B than in A: ${change} (${evidence(contrast)}).`;
    case 'equivalent':
      return `${lead} is the same in both runs within the margin: ${change} (${evidence(contrast)}).`;
    case 'mixed':
    case 'inconclusive':
      return `${lead}: not decided whether it changed, ${change} (${evidence(contrast)})${reason === undefined ? '' : `. ${sentenceCase(reason)}`}.`;
  }
}

const tellOrder = ['worse', 'better', 'mixed', 'equivalent', 'inconclusive'] as const;

/** The comparison of two runs in one sentence of at most `maxHeadlineCharacters` characters: the weightiest gap. */
function contrastTop(gaps: readonly RunContrast[]): string {
  const [first] = gaps.toSorted((a, b) => tellOrder.indexOf(a.verdict) - tellOrder.indexOf(b.verdict));
  if (first === undefined) return 'These runs have no primary comparison in common.';
  const words = headlineWords(first.metric);
  const { noun, isMetric } = words;
  const [baseline = '', candidate = ''] = first.arms.map((label) =>
    cut(armNameOfLabel(label), maxArmCharacters),
  );
  const estimate = first.ratio === null ? (first.difference ?? 0) : first.ratio - 1;
  const amount = first.ratio === null ? quantity(estimate, first.unit) : percent(estimate);
  const word = wholeWord(words, estimate > 0);
  const arms = `${candidate} against ${baseline}`;
  const title = sentenceCase(noun);
  const who = isMetric === true ? `${noun} of ${candidate}` : candidate;
  const changed = `${sentenceCase(who)} got ${amount} ${word} from run A to run B, compared with ${baseline}.`;
  const says = {
    worse: changed,
    better: changed,
    mixed: `${title}: ${arms} changed differently by workload.`,
    equivalent: `${title}: ${arms} is the same in both runs.`,
    // What is cut off must not be that nothing is decided.
    inconclusive: `Not decided: ${who} came out ${amount} ${word} in run B than in run A.`,
  }[first.verdict];
  return cut(says, maxHeadlineCharacters);
}

/** What two runs say of each other in words: their primary gaps, and what such a comparison cannot know. */
export function contrastHeadline(contrasts: readonly RunContrast[], names: Names): string[] {
  const gaps = contrasts.filter(({ what, primary }) => what === 'gap' && primary);
  const rest = gaps.length - maxSentences;
  const told = gaps
    .toSorted((a, b) => Number(a.verdict === 'inconclusive') - Number(b.verdict === 'inconclusive'))
    .slice(0, maxSentences)
    .map((gap) => gapSentence(gap, names));
  const none = 'Neither run declares a primary comparison that the other has: see the single contrasts.';
  return [
    contrastTop(gaps),
    ...(told.length > 0 ? told : [none]),
    ...(rest > 0 ? [`${counted(rest, 'further primary contrast')} in the table.`] : []),
  ];
}
