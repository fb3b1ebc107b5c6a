import { claimsOf, type Question, type QuestionAnswer, type TriedOut } from '../../core/model/question.ts';
import type { PublishedResult, PublishedSide } from '../../core/model/published.ts';
import type { StudyRun } from '../../core/model/study-run.ts';
import { claimDigest } from './claim-digest.ts';
import { publishedResults } from './published-results.ts';
import { measuredRun } from './study-run.ts';

/**
 * The answer to a question from the values of its kept run, by the rule of its plan. A run counts only for the claims that its plan had when
 * it began.
 *
 * @param run the kept run; undefined: there is none
 */
export function answerQuestion(question: Question, run: StudyRun | undefined): QuestionAnswer {
  const { needs } = question;
  if (needs !== undefined) return { outcome: 'cannot be run here', reason: `it needs ${needs}`, tries: [] };
  if (run === undefined) return { outcome: 'not measured yet', tries: [] };
  const claims = claimsOf(question);
  const frozen = new Set(run.claims);
  if (claims.some((claim) => !frozen.has(claimDigest(claim))))
    return {
      outcome: 'not measured yet',
      reason: 'the rule was changed after the run, which does not count any more',
      tries: [],
    };
  const [decides, ...others] = publishedResults(claims, measuredRun(run));
  if (decides === undefined) throw new Error('a question without a claim');
  const told = { decides, tries: triedOut(question, others), run };
  const absent = absentArm(question, run);
  if (absent !== undefined) return { outcome: 'cannot be run here', reason: absent, ...told };
  return { outcome: outcomeOf(decides), ...told };
}

function outcomeOf({ agreement }: PublishedResult): QuestionAnswer['outcome'] {
  if (agreement === 'same') return 'reproduced';
  return agreement === 'other' ? 'not here' : 'not decided';
}

function triedOut({ tries }: Question, results: readonly PublishedResult[]): TriedOut[] {
  return tries.flatMap(({ what, cause, fix }, index) => {
    const result = results[index];
    return result === undefined ? [] : [{ what, cause, fix, result, works: result.agreement === 'same' }];
  });
}

const armOf = (side: PublishedSide): readonly string[] =>
  [typeof side === 'string' ? side : (side.arm ?? [])].flat();

/** An arm that decides and of which no trial could be had: nothing else may take its place. */
function absentArm({ decides }: Question, { lostByArm = [] }: StudyRun): string | undefined {
  const named = new Set(decides.compare.flatMap(armOf));
  const absent = lostByArm.find(({ arm, lost, of }) => named.has(arm) && of > 0 && lost === of);
  return absent === undefined
    ? undefined
    : `no trial of ${absent.arm} could be had: ${absent.why ?? 'no reason was recorded'}`;
}
