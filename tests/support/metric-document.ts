import { chosenPercentDigits } from '../../src/model/rounding.ts';
import type { WorkloadKind } from '../../src/model/workload.ts';
import type { MetricInputs } from '../../src/metrics/metric-inputs.ts';
import type { Metric } from '../../src/metrics/metric.ts';
import { metrics } from '../../src/metrics/registry.ts';

/** What formulas are given, in words. */
export const inputWords: Readonly<Record<keyof MetricInputs, string>> = {
  page: 'navigation timing and performance entries of the page, and its HAR',
  journey: 'when the steps of the script began and ended',
  step: 'a step of the script: its times, and Event Timing, soft navigations and addresses of its page',
  objects: 'the objects of the HAR',
  visual: 'frames of the viewport',
  download: 'Resource Timing of the download’s streams',
  video: 'what the player reported of its session',
  cpu: 'the operating system’s accounting of the client’s processes',
  counters: 'what probes counted',
};

const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Page load (one navigation)',
  journey: 'Journey (a script of named steps, and each of its steps)',
  video: 'Video (one DASH session)',
  download: 'Bulk download',
};

const deadlineWords: Readonly<Record<Metric['onDeadline'], string>> = {
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

/** What a metric is computed from. */
const inputKinds = ({ formulas }: Metric): (keyof MetricInputs)[] =>
  Object.keys(formulas) as (keyof MetricInputs)[];

const usedInputs = Object.keys(inputWords) as (keyof MetricInputs)[];

/** Stands for a source in the tables, because its words would fill a third of each row. */
const letterOf = (kind: keyof MetricInputs): string => String.fromCharCode(65 + usedInputs.indexOf(kind));

function rowOf(metric: Metric): string {
  const { name, title, meaning, source, unit, form, higherIsBetter, onDeadline } = metric;
  const inputs = inputKinds(metric).map(letterOf).join(', ');
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
    '| name | what it is | unit | better is | compared by, margin | at a deadline | of |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  return [
    '# Metrics',
    '',
    'Written by `npm run docs` out of the files in `src/metrics/`; change those, not this list.',
    '',
    'A trial records raw values. Every metric is computed from them afterwards. Metrics above zero are compared by ratio,',
    'with a margin in percent. Metrics that can be zero are compared by difference, with a margin in their unit. Below the',
    'margin a difference does not matter in practice. `npx h2h3 describe metrics stall` finds metrics by name:',
    '',
    '```',
    'id            title       unit  higher is better  margin',
    'stallTotalMs  stall time  ms    false             100',
    '```',
    '',
    'The last column names what a metric is computed from:',
    '',
    ...usedInputs.map((kind) => `- **${letterOf(kind)}** ${inputWords[kind]}`),
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
