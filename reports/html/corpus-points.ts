import { isNumber } from '../format/numbers.ts';
import type { PageCorpusPoint } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';

/** The pages of which objects and bytes are known, as points of a plot (as in Zhang et al. 2024, figure 10). */
export function corpusPoints({ summary }: ReportContext): PageCorpusPoint[] {
  return (summary.corpus ?? []).flatMap(({ title, objectCount, wireBytes, hostCount, measured }) =>
    isNumber(objectCount) && isNumber(wireBytes) && objectCount > 0 && wireBytes > 0
      ? [{ title, objects: objectCount, bytes: wireBytes, hosts: hostCount, measured }]
      : [],
  );
}
