import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { hasWorseSite } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { armTitle, labelsOf, trialTitle, withSiteTitles } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { takeaway } from '../format/verdict-words.ts';
import { attribute } from './xml-text.ts';

interface Case {
  readonly suite: string;
  readonly name: string;
  /** What stands inside the case; an empty one has passed. */
  readonly outcome: 'passed' | 'failure' | 'skipped' | 'error';
  readonly message: string;
}

/**
 * A primary comparison that is worse fails, and one that is mixed with a workload that is worse; an undecided
 * one is skipped; all others pass. Secondary comparisons have no case: they look for effects and confirm none, and their
 * figures stand in comparisons.csv.
 */
function comparisonCase(comparison: Comparison, labels: Labels): Case {
  const { client, network, server, verdict, primary, heterogeneity } = comparison;
  const worse = verdict === 'worse' || (verdict === 'mixed' && hasWorseSite(heterogeneity));
  const outcome = verdict === 'inconclusive' ? 'skipped' : worse && primary ? 'failure' : 'passed';
  return {
    suite: [labels.client(client), labels.network(network), labels.server(server)].join(', '),
    name: `${labels.workload(comparison.workload, comparison.workloadKind)}: ${metricWords(comparison.metric).title}${primary ? ' (primary)' : ''}${comparison.instrumentation === 'instrumented' ? ' (recorded trials)' : ''}`,
    outcome,
    message: takeaway(withSiteTitles(comparison, labels), armTitle(comparison.candidate.arm)),
  };
}

function troubleCase(trial: Summary['troubles'][number], labels: Labels, run: Summary['run']): Case {
  return {
    suite: 'Trials that did not count',
    name: trialTitle(trial, labels, run),
    outcome: trial.status === 'failed' ? 'error' : 'skipped',
    message: `${trial.status}: ${trial.reason ?? 'no reason was recorded'}`,
  };
}

function caseXml({ suite, name, outcome, message }: Case): string {
  const open = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}"`;
  if (outcome === 'passed')
    return `${open}>\n      <system-out>${attribute(message)}</system-out>\n    </testcase>`;
  return `${open}>\n      <${outcome} message="${attribute(message)}"/>\n    </testcase>`;
}

function suiteXml(name: string, cases: readonly Case[]): string {
  const count = (outcome: Case['outcome']): number => cases.filter((each) => each.outcome === outcome).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return `  <testsuite name="${attribute(name)}" ${counts}>\n${cases.map(caseXml).join('\n')}\n  </testsuite>`;
}

/** JUnit XML for build servers: a suite a condition, a case a comparison, and a suite of the trials that did not count. */
export function renderJunit(summary: Summary): string {
  checkSummary(summary);
  const labels = labelsOf(summary);
  const primary = summary.comparisons.filter((comparison) => comparison.primary);
  // A run without primary comparisons has nothing else to show.
  const shown = primary.length > 0 ? primary : summary.comparisons;
  const cases = [
    ...shown.map((comparison) => comparisonCase(comparison, labels)),
    ...summary.troubles.map((trial) => troubleCase(trial, labels, summary.run)),
  ];
  const suites = Map.groupBy(cases, ({ suite }) => suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(`h2h3 ${summary.run.name}`)}">`,
    ...[...suites].map(([name, members]) => suiteXml(name, members)),
    '</testsuites>',
    '',
  ].join('\n');
}
