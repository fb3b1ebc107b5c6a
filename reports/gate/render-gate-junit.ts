import { candidateNameOfLabel } from '../../src/core/factors/arm-name.ts';
import type { Gate, GateComparison } from '../../src/core/model/gate.ts';
import { namesFrom } from '../../src/core/model/names.ts';
import type { Names } from '../../src/core/model/names.ts';
import { hasWorseSite } from '../../src/core/model/summary.ts';
import { armTitle, kindTitles } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { subjectOf } from './gate-words.ts';
import { junitSuite, type JunitCase, type JunitOutcome } from './junit-suite.ts';

export interface GateJunitOptions {
  /** Whether what is undecided fails the build; else it is skipped. */
  readonly strict: boolean;
}

function outcomeOf({ verdict, heterogeneity, shownNotWorse }: GateComparison, strict: boolean): JunitOutcome {
  if (verdict === 'worse' || (verdict === 'mixed' && hasWorseSite(heterogeneity))) return 'failure';
  if (verdict !== 'inconclusive' || shownNotWorse === true) return 'passed';
  return strict ? 'failure' : 'skipped';
}

function caseOf(comparison: GateComparison, names: Names, strict: boolean): JunitCase {
  return {
    className: [
      kindTitles[comparison.workloadKind],
      names.network(comparison.network),
      names.server(comparison.server),
    ].join(', '),
    name: `${subjectOf(comparison, names)}: ${metricWords(comparison.metric).title}: ${candidateNameOfLabel(comparison.candidateArm)} against ${armTitle(comparison.baselineArm)}`,
    outcome: outcomeOf(comparison, strict),
    sentence: comparison.sentence,
  };
}

/** JUnit XML: a case a primary comparison (worse fails, undecided is skipped or, when strict, fails), one for the run. */
export function renderGateJunit(gate: Gate, { strict }: GateJunitOptions): string {
  const names = namesFrom(gate.names);
  return junitSuite({
    name: `h2h3 gate ${gate.run}`,
    cases: gate.comparisons.map((comparison) => caseOf(comparison, names, strict)),
    failure: gate.trialsFailed ? gate.headline.join(' ') : undefined,
  });
}
