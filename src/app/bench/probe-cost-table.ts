import type { BenchRow } from '../../../harness/bench/bench-row.ts';
import { H2h3Error } from '../../core/model/errors.ts';

/** A probe whose upper bound is below this may stand in trials whose times are judged. */
const maxPercent = 3;

const quantities = {
  addedMs: 'added load time',
  boundPercent: 'added load time, upper 95 % bound',
  addedCpuMs: 'added CPU time of the browser',
} as const;

const heads = [
  'probe',
  'over',
  'added load time, median (range)',
  'upper 95 % bound',
  'added CPU time of the browser',
  'n',
  `below ${maxPercent} %`,
];

/**
 * What each probe adds, as a Markdown table: the form of docs/diagnosis.md.
 *
 * @throws H2h3Error `bad-input` where probes were not measured
 */
export function probeCostTable(rows: readonly BenchRow[]): string {
  const costs = rows.filter(({ group }) => group === 'probe cost');
  const subjects = [...Map.groupBy(costs, ({ subject }) => subject)].filter(([, ofSubject]) =>
    ofSubject.some(({ quantity, note }) => quantity === quantities.addedMs || note !== ''),
  );
  if (subjects.length === 0)
    throw new H2h3Error('bad-input', 'the cost of probes was not measured, so there is no table of it', {
      next: 'Add --only probes.',
    });
  const body = subjects.map(([subject, ofSubject]) => cellsOf(subject, ofSubject));
  return [heads, heads.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What one probe adds. */
function cellsOf(subject: string, rows: readonly BenchRow[]): string[] {
  const probe = rows.find((row) => row.probe !== undefined)?.probe;
  const row = (quantity: string): BenchRow | undefined => rows.find((row) => row.quantity === quantity);
  const [added, bound, cpu] = [quantities.addedMs, quantities.boundPercent, quantities.addedCpuMs].map(row);
  const note = rows.find((row) => row.value === null && row.note !== '')?.note;
  const name = `\`${probe?.id ?? subject}\``;
  const place = probe?.where ?? '';
  if (added === undefined || added.value === null)
    return [name, place, note ?? 'not measured', '', '', '', ''];
  return [
    name,
    place,
    figureOf(added),
    bound?.value === undefined || bound.value === null ? '' : `${bound.value.toFixed(1)} %`,
    cpu === undefined ? '' : figureOf(cpu),
    String(added.repetitions),
    bound?.value === undefined || bound.value === null ? '' : bound.value < maxPercent ? 'yes' : 'no',
  ];
}

function figureOf({ value, range, unit }: BenchRow): string {
  if (value === null) return '';
  const text = (ms: number): string => `${ms > 0 ? '+' : ''}${ms.toFixed(1).replace('-', '−')}`;
  return `${text(value)} ${unit}${range === null ? '' : ` (${text(range[0])} to ${text(range[1])})`}`;
}
