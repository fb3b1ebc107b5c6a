import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';

/**
 * The first frame follows a load event by some frames where nothing is fetched in between. A person notices a tenth of a
 * second (Nielsen, Usability Engineering, 1993, §5.5), which is more than that.
 */
const noticedMs = 100;

/** What judges pages by default: the end of the load event. */
export const loadMetric = 'pltMs';

/** Metrics that judge workloads in place of the load event, by the workload's id. */
export type JudgedInstead = ReadonlyMap<string, 'lcpMs' | 'fcpMs' | 'journeyMs'>;

/**
 * Workloads that most of their timed trials painted only after the load event, as apps do that fetch what they show by
 * script: their load event says nothing of what users wait for. A journey is judged by its end, a page by its main content,
 * or by its first where the browser does not tell which is the main one.
 */
export function judgedInsteadOfLoad({ conditions }: Pick<TrialTable, 'conditions'>): JudgedInstead {
  const late = conditions.filter(paintsAfterLoad);
  return new Map(
    late.map(({ condition: { workload }, kind }) => {
      const own = late.filter(({ condition }) => condition.workload === workload).flatMap(validRecords);
      const paint = hasValues(own, 'lcpMs') ? 'lcpMs' : 'fcpMs';
      return [workload, kind === 'journey' ? 'journeyMs' : paint];
    }),
  );
}

function paintsAfterLoad(trials: ConditionTrials): boolean {
  const delaysMs = validRecords(trials).flatMap(({ metrics }) => {
    const loadedMs = numericMetric(metrics, loadMetric);
    const paintedMs = numericMetric(metrics, 'fcpMs');
    return loadedMs === undefined || paintedMs === undefined ? [] : [paintedMs - loadedMs];
  });
  return delaysMs.filter((delayMs) => delayMs > noticedMs).length * 2 > delaysMs.length;
}

function validRecords({ recordsByArm }: ConditionTrials): TrialRecord[] {
  return [...recordsByArm.values()].flatMap((ofArm) =>
    [...ofArm.values()].filter(({ status }) => status === 'ok'),
  );
}

const hasValues = (records: readonly TrialRecord[], metric: string): boolean =>
  records.some(({ metrics }) => numericMetric(metrics, metric) !== undefined);

const insteadWords = {
  lcpMs: 'the largest contentful paint (lcpMs)',
  fcpMs: 'the first contentful paint (fcpMs)',
  journeyMs: 'the end of the journey (journeyMs)',
} as const;

/** One sentence for each metric that judges in place of the load event, where that was to judge. */
export function insteadWarnings(
  { primary, workloads }: Pick<Plan, 'primary' | 'workloads'>,
  instead: JudgedInstead,
): string[] {
  const asked = workloads.filter(({ kind }) => primary[kind] === loadMetric);
  const judged = asked.flatMap(({ id, title }) => {
    const metric = instead.get(id);
    return metric === undefined ? [] : [{ metric, name: title ?? id }];
  });
  return [...Map.groupBy(judged, ({ metric }) => metric)].map(
    ([metric, pages]) =>
      `${pages.map(({ name }) => name).join(', ')} ${pages.length === 1 ? 'paints' : 'paint'} only after the load event. ` +
      `The load time (pltMs) decides nothing there, and ${insteadWords[metric]} does in its place`,
  );
}
