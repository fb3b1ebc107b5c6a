import type { buildPageLoads } from '../build-page-loads.ts';
import type { Markup } from '../markup.ts';
import type { PageComparison } from '../page-data.ts';
import type { ReportPart } from '../render-parts.ts';
import type { ReportContext } from '../report-context.ts';
import type { BudgetReport } from '../../../src/core/model/budget.ts';
import type { ReportFilm } from './films.ts';
import type { UnpackedHar } from './har-links.ts';
import type { ShownFailure } from './journey-failures.ts';

/** What sections may show. */
export interface SectionInput {
  readonly context: ReportContext;
  readonly comparisons: readonly PageComparison[];
  readonly inside: ReturnType<typeof buildPageLoads>;
  readonly hars: readonly UnpackedHar[];
  readonly films: readonly ReportFilm[];
  /** Ways in which journeys failed. */
  readonly failures: readonly ShownFailure[];
  /** How the run keeps its budgets; null where it has none. */
  readonly budgets: BudgetReport | null;
  /** Pages next to the first one, for what has no room in it. */
  readonly parts: readonly ReportPart[];
}

/** One section of a report: a file, and a line in the registry. */
export interface ReportSection {
  /** What the navigation names of it: ids within its markup, with their titles. An id that a run leaves out is not named. */
  readonly links?: readonly (readonly [id: string, title: string])[];
  /** Empty markup where the run has nothing of the kind. */
  readonly render: (input: SectionInput) => Markup;
}
