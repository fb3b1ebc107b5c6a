import { timelineSchema, type Timeline } from '../../../../src/core/model/timeline.ts';
import { timelineExpression } from '../page-script.ts';
import type { BidiSession } from './bidi-connection.ts';

/**
 * The timelines of every document of the tab, the page's first, and of the workers that Firefox lets in. One that is gone, or
 * does not answer, is left out: what it asked for is in the server's log.
 *
 * @throws H2h3Error where the page itself does not answer
 */
export async function readTimelines(bidi: BidiSession): Promise<Timeline[]> {
  const own = parsed(await bidi.evaluate('page', timelineExpression('page')));
  const places = [
    ...(await bidi.framesOfPage()).map((context) => ({ scope: 'frame', target: { context } }) as const),
    ...(await bidi.workerRealms()).map((realm) => ({ scope: 'worker', target: { realm } }) as const),
  ];
  const settled = await Promise.allSettled(
    places.map(async ({ scope, target }) => parsed(await bidi.evaluateIn(target, timelineExpression(scope)))),
  );
  return [own, ...settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))];
}

function parsed(json: unknown): Timeline {
  return timelineSchema.parse(JSON.parse(String(json)));
}
