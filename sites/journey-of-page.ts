import { journeyDesktop } from '../src/core/model/device.ts';
import { H2h3Error } from '../src/core/model/errors.ts';
import { journeyFrom } from '../src/core/model/journey-name.ts';
import type { Workload } from '../src/core/model/workload.ts';

/** Steps over slow paths, with what their pages load, take long; one that takes longer waits for what does not come. */
const stepLimitMs = 60_000;
const deadlineMs = 300_000;
const expectedTrialMs = 20_000;

/** A page on what journeys are shown on, unless it is for another device. */
export function shownAsJourneys(workload: Workload): Workload {
  return {
    ...workload,
    prepare: async (context) => ({ device: journeyDesktop, ...(await workload.prepare(context)) }),
  };
}

/** A script's journey from this page on, `NAME@journey`. @throws H2h3Error `usage` for what is no page, or its second visit */
export function journeyOfPage(workload: Workload, scriptFile: string): Workload {
  if (workload.kind !== 'page' || workload.view === 'repeat')
    throw new H2h3Error('usage', `a journey begins at a page in a fresh profile, not at ${workload.id}`, {
      context: {
        expected: 'a page',
        got: workload.view === 'repeat' ? 'a second visit' : `a ${workload.kind}`,
      },
    });
  const id = journeyFrom(workload.id);
  const title = `${workload.title}, journey`;
  const journey = { id, title, kind: 'journey' } as const;
  return {
    ...workload,
    ...journey,
    expectedTrialMs: Math.max(expectedTrialMs, 2 * workload.expectedTrialMs),
    prepare: async (context) => ({
      ...(await shownAsJourneys(workload).prepare(context)),
      ...journey,
      driver: 'script',
      deadlineMs,
      journey: { scriptFile, stepLimitMs },
    }),
  };
}
