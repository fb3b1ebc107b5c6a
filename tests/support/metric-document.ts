import { chosenPercentDigits } from '../../src/core/model/rounding.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';
import type { Metric } from '../../src/core/metrics/metric.ts';
import { metrics } from '../../src/core/metrics/registry.ts';

const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Page load (one navigation)',
  journey: 'Journey (a script of named steps, and each of its steps)',
  video: 'Video (one DASH session)',
  download: 'Bulk download',
  upload: 'Upload',
  messages: 'Messages (one session)',
};

/** What a trial counts with that reached its deadline; a metric that is missing then says nothing. */
const deadlineWords: Readonly<Record<Metric['onDeadline'], readonly string[]>> = {
  time: ['deadline'],
  rate: ['so far'],
  missing: [],
};

/** The chapter of each metric: its kind of workload, or what all kinds have. */
function chapterOf({ kinds }: Metric): string {
  const [kind] = kinds;
  return kinds.length > 1 || kind === undefined
    ? 'Several kinds: load, connection, cost on the client'
    : kindTitles[kind];
}

function marginWords({ form, margin, unit }: Metric): string {
  if (form === 'ratio') return `${chosenPercentDigits(margin * 100)} %`;
  return `${margin}${unit === '' ? '' : ` ${unit === '%' ? 'points' : unit}`}`;
}

function itemOf(metric: Metric): string {
  const { name, title, meaning, source, higherIsBetter, onDeadline } = metric;
  const facts = [marginWords(metric), ...(higherIsBetter ? ['↑'] : []), ...deadlineWords[onDeadline]];
  const from = source === undefined ? '' : ` (${source})`;
  return `- \`${name}\` (${facts.join(', ')}): ${title}. ${meaning}${from}`;
}

/** `docs/metrics.md`. */
export function metricDocument(): string {
  const chapters = [...new Set(metrics.map(chapterOf))];
  return [
    '# Metrics',
    '',
    'What every metric means, by kind of workload. `npm run docs` writes this page out of `src/core/metrics/`. Names end in the unit, if any. In brackets: the margin',
    'below which a change does not matter, in percent or the metric’s unit. `↑`: higher is better. A trial that was cut off',
    'counts with its time limit (`deadline`) or with the bytes until then (`so far`); other metrics are missing in it.',
    '`npx h2h3 describe metrics stall` finds metrics by name:',
    '',
    '```',
    'id            title       unit  higher is better  margin',
    'stallTotalMs  stall time  ms    false             100',
    '```',
    ...chapters.flatMap((chapter) => [
      '',
      `## ${chapter}`,
      '',
      ...metrics.filter((metric) => chapterOf(metric) === chapter).map(itemOf),
    ]),
    '',
  ].join('\n');
}
