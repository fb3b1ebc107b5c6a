import { H2h3Error } from '../src/core/model/errors.ts';
import type { Workload } from '../src/core/model/workload.ts';

/** Follows the name of a page where its second visit is meant. */
const suffix = '@repeat';

/** Name of the page whose second visit is meant; undefined where none is. */
export function pageOfRepeatView(name: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** The second visit of a page, `NAME@repeat`, in the profile of a first one that is not measured. @throws H2h3Error `usage` for what is no page. */
export function repeatView(workload: Workload): Workload {
  if (workload.kind !== 'page')
    throw new H2h3Error('usage', `only pages have a second visit: ${workload.id}${suffix}`, {
      context: { expected: 'a page', got: `a ${workload.kind}` },
    });
  const id = `${workload.id}${suffix}`;
  const title = `${workload.title}, second visit`;
  return {
    ...workload,
    id,
    title,
    view: 'repeat',
    expectedTrialMs: 2 * workload.expectedTrialMs,
    prepare: async (context) => ({ ...(await workload.prepare(context)), id, title, view: 'repeat' }),
  };
}
