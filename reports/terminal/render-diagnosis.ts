import type { Diagnosis } from '../../src/core/model/diagnosis.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { armTitle, labelsOf, type Labels } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatSigned } from '../format/numbers.ts';
import { interventionSentence } from '../format/intervention-sentence.ts';
import type { TerminalOptions } from './render-terminal-summary.ts';
import { wrap } from './terminal-text.ts';

/** Where the differences of a run come from, for people at a terminal. */
export function renderDiagnosis(summary: Summary, { columns }: TerminalOptions): string {
  checkSummary(summary);
  const { diagnosis = [] } = summary;
  if (diagnosis.length === 0)
    return wrap(
      'Nothing to explain: no difference of a page load, a video or a download is beyond chance in timed and in recorded blocks. Each kind needs six blocks. `npx h2h3 diagnose DIR --measure` records six.',
      columns,
    ).join('\n');
  const labels = labelsOf(summary);
  return diagnosis.map((entry) => blockOf(entry, summary, labels, columns)).join('\n\n');
}

function blockOf(diagnosis: Diagnosis, summary: Summary, labels: Labels, columns: number): string {
  const { metric, differenceMs, timed, parts, unexplainedMs, causes = [] } = diagnosis;
  const arms = `${armTitle(diagnosis.candidateArm)} against ${armTitle(diagnosis.baselineArm)}`;
  const head = `${diagnosisTitle(diagnosis, summary, labels)}: ${metricWords(metric).title} ${formatSigned(timed.differenceMs)} ms, ${arms}. In recorded blocks ${formatSigned(differenceMs)} ms:`;
  const rows = parts.flatMap(({ cause, ms, interval, evidence, confirmed, interventions = [] }) => {
    const range = interval === null ? '' : ` [${formatSigned(interval[0])} to ${formatSigned(interval[1])}]`;
    const proof = confirmed ? ', confirmed by experiment' : '';
    const line = `${formatSigned(ms).padStart(8)} ms ${cause}${range}: ${evidence}${proof}`;
    return [
      line,
      ...interventions.map((intervention) => `            ${interventionSentence(intervention)}`),
    ];
  });
  const rest = `${formatSigned(unexplainedMs).padStart(8)} ms unexplained`;
  const named = causes.map(
    ({ title, ms, evidence }) => `${formatSigned(ms).padStart(8)} ms because ${title}: ${evidence}`,
  );
  return [head, ...named, ...(named.length === 0 ? [] : ['  where:']), ...rows, rest]
    .flatMap((line, index) => wrap(line, columns, index === 0 ? '' : '  '))
    .join('\n');
}

function diagnosisTitle({ workload, network, client }: Diagnosis, summary: Summary, labels: Labels): string {
  const kind = summary.workloads.find(({ id }) => id === workload)?.kind ?? 'page';
  const title = workload === 'pooled' ? 'All pages' : labels.workload(workload, kind);
  const where = [client === undefined ? '' : labels.client(client), network ?? ''].filter(
    (word) => word !== '',
  );
  return where.length === 0 ? title : `${title} (${where.join(', ')})`;
}
