import { senderProperties } from '../../analyse/senders/properties.ts';
import { lowered } from '../../core/model/sentence-case.ts';
import { planFromRequest, readPlanRequest } from '../plan/plan-request.ts';
import { expectedMs } from '../plan/scale-times.ts';
import {
  disturbancesOf,
  senderPlan,
  senderRuns,
  type SenderRequest,
  type SenderRun,
} from './sender-plans.ts';

/** One of the runs of a measurement, and whether its budget has room for it. */
export interface BudgetedRun {
  readonly run: SenderRun;
  /** Time that it should take, ms. */
  readonly neededMs: number;
  readonly fits: boolean;
}

/** Time that one of the runs should take, ms. */
export function forecastMs(run: SenderRun, request: SenderRequest): Promise<number> {
  return expectedMs(planFromRequest(readPlanRequest(undefined, {}, [], senderPlan(run, request)), ''));
}

/**
 * What a budget has room for, if each run takes as long as it should: the runs in their order, each that still fits. What tells most in
 * little time comes first; a long one that does not fit is passed over, and a shorter one after it may fit.
 */
export async function budgetedRuns(request: SenderRequest, budgetMs: number): Promise<BudgetedRun[]> {
  const budgeted: BudgetedRun[] = [];
  let leftMs = budgetMs;
  for (const run of senderRuns(request)) {
    const neededMs = await forecastMs(run, request);
    const fits = neededMs <= leftMs;
    if (fits) leftMs -= neededMs;
    budgeted.push({ run, neededMs, fits });
  }
  return budgeted;
}

/** Properties that one of the runs alone tells, in words. */
export function toldBy(run: SenderRun): string {
  const met = disturbancesOf(run);
  return senderProperties
    .filter(({ readIn }) => readIn.every((each) => met.includes(each)))
    .map(({ title }) => lowered(title))
    .join(', ');
}
