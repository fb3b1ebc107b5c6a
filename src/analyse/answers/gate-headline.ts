import { sentenceCase } from '../../core/model/sentence-case.ts';
import type { GateOutcome } from '../../core/model/gate.ts';
import type { Arm } from '../../core/model/plan.ts';
import { armName } from '../../core/factors/arm-name.ts';
import { cut } from '../../core/model/cut.ts';
import { beOf, counted, percent } from '../figures/figures.ts';
import { headlineWords, wholeWord } from '../wording/headline-words.ts';
import { listed } from './clauses.ts';
import type { Finding } from './findings.ts';
import { fitting } from './decided-headline.ts';
import type { HeadlineFindings, Sentence } from './headline-findings.ts';
import { nounsOf } from './headline-findings.ts';
import { having } from './findings.ts';

/** What a gate has besides the findings of its run. */
export interface GateFacts {
  readonly outcome: GateOutcome;
  readonly trialsFailed: boolean;
  /** Arms of which no trial is valid. */
  readonly armsLost: readonly Arm[];
  /** Planned trials of which the journal says nothing. */
  readonly missing: number;
  readonly blocksDone: number;
  readonly blocksPlanned: number;
}

const maxArmCharacters = 24;
const states: Readonly<Record<GateOutcome, string>> = {
  passed: 'passed',
  worse: 'failed',
  undecided: 'not decided',
};

function lostArms([first, ...others]: readonly Arm[]): string {
  if (first === undefined) return '';
  const name = cut(armName(first), maxArmCharacters);
  return others.length === 0 ? name : `${name} and ${counted(others.length, 'other arm')}`;
}

/** What the gate says, and of what it says it: `Gate passed so far without HTTP/3: `. */
function opening({ outcome, armsLost, missing }: GateFacts): string {
  const soFar = missing > 0 ? ' so far' : '';
  const without = armsLost.length > 0 ? ` without ${lostArms(armsLost)}` : '';
  return `Gate ${states[outcome]}${soFar}${without}: `;
}

/** The headline of a gate whose run has nothing to compare, and the reason. */
export function silentGateHeadline(reason: string, { trialsFailed }: GateFacts): Sentence {
  const state = trialsFailed ? 'failed' : 'not decided';
  return fitting([{ text: reason.replace(/\.$/, ''), of: [] }], `Gate ${state}: `);
}

/** What the data leave open at worst, with what they estimate of it. */
interface WorstPossible {
  /** `load time estimated 16 % slower`; without its noun where the gate judges one metric. */
  readonly estimate: string;
  /** `41 %`; with its word where that is not the estimate's. */
  readonly bound: string;
}

/** Of the comparison whose interval goes farthest to the worse; null where no share can be told. */
function worstPossible(primaries: readonly Finding[]): WorstPossible | null {
  const ends = primaries.flatMap(({ metric, members }) =>
    members.flatMap(({ verdict, ratio, ratioInterval, higherIsBetter }) => {
      if (verdict !== 'inconclusive' || ratio === null || ratioInterval === null) return [];
      const end = ratioInterval[higherIsBetter ? 0 : 1];
      const isWorse = higherIsBetter ? end < 1 : end > 1;
      return isWorse && Number.isFinite(end) ? [{ metric, ratio, end }] : [];
    }),
  );
  const [worst] = ends.toSorted((a, b) => Math.abs(b.end - 1) - Math.abs(a.end - 1));
  if (worst === undefined) return null;
  const { ratio, end } = worst;
  const words = headlineWords(worst.metric);
  const amount = (share: number): string => `${percent(share - 1)} ${wholeWord(words, share > 1)}`;
  const isUnchanged = percent(ratio - 1) === percent(0);
  const isSameWay = !isUnchanged && ratio > 1 === end > 1;
  return {
    estimate: `${nounsOf(primaries).length > 1 ? `${words.noun} ` : ''}estimated ${isUnchanged ? 'unchanged' : amount(ratio)}`,
    bound: isSameWay ? percent(end - 1) : amount(end),
  };
}

/** The estimate before the bound, from the longest to the shortest. */
function openHeadlines({ estimate, bound }: WorstPossible, far: string, of: readonly Finding[]): Sentence[] {
  return [
    `No regression shown${far}, ${estimate}, up to ${bound} is possible`,
    `No regression shown, ${estimate}, up to ${bound} is possible`,
    `No regression shown, ${estimate}, up to ${bound} possible`,
    `No regression shown, ${estimate}, ${bound} possible`,
  ].map((text) => ({ text, of }));
}

/**
 * The headline of a run that was judged as a gate.
 *
 * @param candidates what a run that is no gate would say, the first that fits
 */
export function gateHeadline(
  gate: GateFacts,
  candidates: readonly Sentence[],
  findings: HeadlineFindings,
): Sentence {
  const { outcome, trialsFailed, armsLost, blocksDone, blocksPlanned } = gate;
  if (outcome === 'worse') return fitting(candidates, opening(gate));
  if (trialsFailed) {
    const lost =
      armsLost.length > 0
        ? `no valid trial of ${lostArms(armsLost)}`
        : 'too many trials were lost for a run that counts';
    return fitting([{ text: lost, of: [] }], 'Gate failed: ');
  }
  const primaries = findings.users.filter(({ primary }) => primary);
  const nouns = listed(nounsOf(primaries));
  if (outcome === 'undecided') {
    const far = blocksDone < blocksPlanned ? ` in ${blocksDone} of ${counted(blocksPlanned, 'block')}` : '';
    const possible = worstPossible(primaries);
    return fitting(
      [
        ...(possible === null ? [] : openHeadlines(possible, far, primaries)),
        {
          text: `No regression shown${far}, but ${nouns} ${beOf(nounsOf(primaries))} not decided`,
          of: primaries,
        },
        { text: `No regression shown${far}`, of: primaries },
      ],
      opening({ ...gate, missing: 0 }),
    );
  }
  const isBetter = primaries.some((finding) => having(finding, 'better').length > 0);
  return fitting(
    isBetter
      ? candidates
      : [
          { text: `${sentenceCase(nouns)} ${beOf(nounsOf(primaries))} not worse`, of: primaries },
          { text: 'Nothing is worse', of: primaries },
        ],
    opening(gate),
  );
}
