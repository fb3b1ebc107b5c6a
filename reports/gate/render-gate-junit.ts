import type { Gate, GateComparison } from '../../src/model/gate.ts';
import { namesFrom } from '../../src/model/names.ts';
import type { Names } from '../../src/model/names.ts';
import { hasWorseSite } from '../../src/model/summary.ts';
import { armTitle, kindTitles } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { attribute } from '../junit/xml-text.ts';
import { subjectOf } from './gate-words.ts';

export interface GateJunitOptions {
  /** Whether an undecided comparison fails the build; else it is skipped. */
  readonly strict: boolean;
}

type Outcome = 'passed' | 'failure' | 'skipped';

function outcomeOf({ verdict, heterogeneity }: GateComparison, strict: boolean): Outcome {
  if (verdict === 'worse' || (verdict === 'mixed' && hasWorseSite(heterogeneity))) return 'failure';
  if (verdict !== 'inconclusive') return 'passed';
  return strict ? 'failure' : 'skipped';
}

function caseXml(one: GateComparison, names: Names, strict: boolean): string {
  const outcome = outcomeOf(one, strict);
  const name = `${subjectOf(one, names)}: ${metricWords(one.metric).title}: ${armTitle(one.candidateArm)} against ${armTitle(one.baselineArm)}`;
  // Dots would part a class name.
  const suite = [kindTitles[one.workloadKind], names.network(one.network), names.server(one.server)]
    .join(', ')
    .replaceAll('.', '\u2024');
  const open = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}">`;
  const inside =
    outcome === 'passed'
      ? `<system-out>${attribute(one.sentence)}</system-out>`
      : `<${outcome} message="${attribute(one.sentence)}"/>`;
  return `${open}\n      ${inside}\n    </testcase>`;
}

function runCase({ trialsFailed, headline }: Gate): string {
  const open = '    <testcase classname="run" name="enough valid trials"';
  return trialsFailed
    ? `${open}>\n      <error message="${attribute(headline.join(' '))}"/>\n    </testcase>`
    : `${open}/>`;
}

/** JUnit XML: a case a primary comparison (worse fails, undecided is skipped or, when strict, fails), one for the run. */
export function renderGateJunit(gate: Gate, { strict }: GateJunitOptions): string {
  const names = namesFrom(gate.names);
  const outcomes = gate.comparisons.map((one) => outcomeOf(one, strict));
  const count = (outcome: Outcome): number => outcomes.filter((one) => one === outcome).length;
  const name = attribute(`h2h3 gate ${gate.run}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}">`,
    `  <testsuite name="${name}" tests="${outcomes.length + 1}" failures="${count('failure')}" errors="${gate.trialsFailed ? 1 : 0}" skipped="${count('skipped')}">`,
    runCase(gate),
    ...gate.comparisons.map((one) => caseXml(one, names, strict)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
