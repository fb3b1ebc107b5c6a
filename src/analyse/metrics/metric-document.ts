import type { MetricDefinition } from '../../model/metrics.ts';
import { chosenPercentDigits } from '../../model/rounding.ts';
import type { WorkloadKind } from '../../model/workload.ts';
import { inputWords, type MetricInputs } from './metric-inputs.ts';
import type { Metric } from './metric.ts';
import { metrics } from './registry.ts';

/** What everything but the analysis needs of the metrics: all but their formulas. */
export function metricDefinitions(): MetricDefinition[] {
  return metrics.map((metric) => {
    const definition: Partial<Metric> = { ...metric };
    delete (definition as { formulas?: unknown }).formulas;
    return definition as MetricDefinition;
  });
}

const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Page load (one navigation)',
  journey: 'Journey (a script of named steps, and each of its steps)',
  video: 'Video (one DASH session)',
  download: 'Bulk download',
};

const deadlineWords: Readonly<Record<MetricDefinition['onDeadline'], string>> = {
  time: 'the deadline',
  rate: 'bytes so far ÷ deadline',
  missing: 'missing',
};

/** The chapter of each metric: its kind of workload, or what all kinds have. */
function chapterOf({ kinds }: Metric): string {
  const [kind] = kinds;
  return kinds.length > 1 || kind === undefined
    ? 'Connection and cost on the client (all kinds)'
    : kindTitles[kind];
}

function marginWords({ form, margin, unit }: Metric): string {
  return form === 'ratio'
    ? `${chosenPercentDigits(margin * 100)} %`
    : `${margin}${unit === '' ? '' : ` ${unit}`}`;
}

function rowOf(metric: Metric): string {
  const { name, title, meaning, source, unit, form, higherIsBetter, onDeadline, formulas } = metric;
  const inputs = (Object.keys(formulas) as (keyof MetricInputs)[]).map((kind) => inputWords[kind]).join('; ');
  const cells = [
    `\`${name}\``,
    `${title}. ${meaning}${source === undefined ? '' : ` (${source})`}`,
    unit === '' ? '–' : unit,
    higherIsBetter ? 'higher' : 'lower',
    `${form}, ${marginWords(metric)}`,
    deadlineWords[onDeadline],
    inputs,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** `docs/metrics.md`. */
export function metricDocument(): string {
  const chapters = [...new Set(metrics.map(chapterOf))];
  const head = [
    '| name | what it is | unit | better is | compared by, margin | at a deadline | from |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  return [
    '# Metrics',
    '',
    'Written by `npm run metrics` out of the files in `src/analyse/metrics/`; change those, not this list.',
    '',
    'Raw values are recorded during a trial; every metric is computed from them afterwards. A comparison by ratio is of',
    'metrics above zero, and its margin a fraction; a comparison by difference is of metrics that can be zero, and its',
    'margin is in the unit of the metric. Below the margin a difference does not matter in practice.',
    ...chapters.flatMap((chapter) => [
      '',
      `## ${chapter}`,
      '',
      ...head,
      ...metrics.filter((metric) => chapterOf(metric) === chapter).map(rowOf),
    ]),
    '',
  ].join('\n');
}
