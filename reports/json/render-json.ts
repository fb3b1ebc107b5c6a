import type { Summary } from '../../src/model/summary.ts';
import { checkSummary } from '../check-summary.ts';

/** The summary as JSON, keys in their own order, two spaces a level; numbers that are not finite become null. */
export function renderJson(summary: Summary): string {
  checkSummary(summary);
  return `${JSON.stringify(summary, null, 2)}\n`;
}
