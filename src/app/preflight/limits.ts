import { minToExceed } from '../../analyse/gate/judge-budgets.ts';
import { check } from './check.ts';

/** Limits that fewer trials than planned for each arm could ever show exceeded: said before they are made. */
export const limits = check('limits', [], ({ budgets = [], arms, conditions, repetitions }) => {
  if (budgets.length === 0) return [];
  const count = budgets.length * arms.length * conditions.length;
  const needed = minToExceed(count);
  return repetitions >= needed
    ? []
    : [
        {
          code: 'usage',
          trialIds: [],
          reason: `with ${count} limits (each budget for each arm of each condition) ${needed} trials can show that one is exceeded, and this plan has ${repetitions}: --repetitions ${needed}`,
        },
      ];
});
