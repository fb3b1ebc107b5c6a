import type { CorpusPage } from '../../core/model/corpus.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Summary } from '../../core/model/summary.ts';
import { nextToRealPages } from './real-pages.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { describeSample } from '../statistics/quantile.ts';

/** The pages of a run, and how they are distributed next to real ones; nothing of a run without pages. */
export function corpusParts(plan: Plan, table: TrialTable): Pick<Summary, 'corpus' | 'realPages'> {
  const corpus = corpusOf(plan, table);
  const figures = nextToRealPages(corpus);
  return {
    ...(corpus.length === 0 ? {} : { corpus }),
    ...(figures.length === 0 ? {} : { realPages: figures }),
  };
}

/** What the pages of a run are made of, in the plan's order. */
export function corpusOf(plan: Plan, table: TrialTable): CorpusPage[] {
  return plan.workloads.flatMap(({ id, kind, title, facts, view }) => {
    // A second visit is of a page that is in the corpus by its first; what its caches left over is no page.
    if (kind !== 'page' || view === 'repeat') return [];
    const valid = table.trials.flatMap(({ planned, record }) =>
      planned.instrumentation === 'uninstrumented' && planned.workload === id && record?.status === 'ok'
        ? [record.metrics]
        : [],
    );
    const figure = (name: 'objectCount' | 'wireBytes' | 'hostCount' | 'tbtMs'): number | null => {
      const values = valid.flatMap((metrics) => numericMetric(metrics, name) ?? []);
      return describeSample(values).median ?? (name === 'tbtMs' ? null : (facts?.[name] ?? null));
    };
    return {
      workload: id,
      title,
      objectCount: figure('objectCount'),
      wireBytes: figure('wireBytes'),
      hostCount: figure('hostCount'),
      tbtMs: figure('tbtMs'),
      ...(facts?.types === undefined ? {} : { types: facts.types }),
      measured: valid.length > 0,
    };
  });
}
