import type { Gate, GateComparison } from '../../src/model/gate.ts';
import { namesFrom } from '../../src/model/names.ts';
import type { Names } from '../../src/model/names.ts';
import { hasWorseSite } from '../../src/model/summary.ts';
import { armTitle, kindTitles } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { subjectOf } from './gate-words.ts';
import { junitSuite, type JunitCase, type JunitOutcome } from './junit-suite.ts';

export interface GateJunitOptions {
  /** Whether what is undecided fails the build; else it is skipped. */
  readonly strict: boolean;
}

function outcomeOf({ verdict, heterogeneity }: GateComparison, strict: boolean): JunitOutcome {
  if (verdict === 'worse' || (verdict === 'mixed' && hasWorseSite(heterogeneity))) return 'failure';
  if (verdict !== 'inconclusive') return 'passed';
  return strict ? 'failure' : 'skipped';
}

function caseOf(one: GateComparison, names: Names, strict: boolean): JunitCase {
  return {
    className: [kindTitles[one.workloadKind], names.network(one.network), names.server(one.server)].join(
      ', ',
    ),
    name: `${subjectOf(one, names)}: ${metricWords(one.metric).title}: ${armTitle(one.candidateArm)} against ${armTitle(one.baselineArm)}`,
    outcome: outcomeOf(one, strict),
    sentence: one.sentence,
  };
}

/** JUnit XML: a case a primary comparison (worse fails, undecided is skipped or, when strict, fails), one for the run. */
export function renderGateJunit(gate: Gate, { strict }: GateJunitOptions): string {
  const names = namesFrom(gate.names);
  return junitSuite({
    name: `h2h3 gate ${gate.run}`,
    cases: gate.comparisons.map((one) => caseOf(one, names, strict)),
    failure: gate.trialsFailed ? gate.headline.join(' ') : undefined,
  });
}
