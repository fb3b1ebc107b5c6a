import type { Comparison, Summary } from '../../src/model/summary.ts';
import type { Labels } from '../format/labels.ts';

/** What every section of the page is made from. */
export interface ReportContext {
  readonly summary: Summary;
  readonly labels: Labels;
  /** Ids of clients, networks and servers in the order of their first comparison. */
  readonly clients: readonly string[];
  readonly networks: readonly string[];
  readonly servers: readonly string[];
  readonly anchorOf: (comparison: Comparison) => string;
}
