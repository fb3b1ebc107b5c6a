import type { Protocol } from 'puppeteer-core';
import { timelineSchema, type Timeline } from '../../../../src/core/model/timeline.ts';
import { within } from '../deadline.ts';
import { timelineExpression } from '../page-script.ts';
import type { CdpSession } from './cdp-connection.ts';
import type { Targets } from './targets.ts';

const pageLimitMs = 5000;
/** A worker that is busy, or stopped, is left out. */
const answerLimitMs = 1000;

/** Kinds of targets that have a timeline of their own, besides the page. */
const scopes: Readonly<Record<string, Timeline['scope']>> = {
  iframe: 'frame',
  worker: 'worker',
  shared_worker: 'worker',
  service_worker: 'worker',
};

/**
 * The timelines of every document and worker that is there, the page's first. One that is gone, or does not answer, is left
 * out: what it asked for is in the server's log.
 *
 * @throws H2h3Error where the page itself does not answer
 */
export async function readTimelines(page: CdpSession, targets: Targets): Promise<Timeline[]> {
  const own = await readTimeline(page, 'page');
  const frames = await framesOf(page);
  const others = await targets.attachAll();
  const read = [
    ...frames.map(({ id }) => readFrame(page, id)),
    ...others.map(async ({ session, type }) => {
      const scope = scopes[type];
      if (scope === undefined) return [];
      const inner = scope === 'frame' ? await framesOf(session) : [];
      const inside = inner.map(({ id }) => readFrame(session, id));
      return Promise.all([readTimeline(session, scope), ...inside]);
    }),
  ];
  const settled = await Promise.allSettled(read);
  return [own, ...settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))];
}

/** Documents below that of the session, in the same process. */
async function framesOf(session: CdpSession): Promise<Protocol.Page.Frame[]> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const below = ({ childFrames = [] }: Protocol.Page.FrameTree): Protocol.Page.Frame[] =>
    childFrames.flatMap((child) => [child.frame, ...below(child)]);
  return below(frameTree);
}

/** In a world of its own, because the frame may be of another origin; it sees the same timeline. */
async function readFrame(session: CdpSession, frameId: string): Promise<Timeline> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId });
  return readTimeline(session, 'frame', executionContextId);
}

async function readTimeline(
  session: CdpSession,
  scope: Timeline['scope'],
  contextId?: number,
): Promise<Timeline> {
  const read = session.send('Runtime.evaluate', {
    expression: timelineExpression(scope),
    awaitPromise: true,
    returnByValue: true,
    ...(contextId === undefined ? {} : { contextId }),
  });
  const { result } = await within(read, scope === 'page' ? pageLimitMs : answerLimitMs, 'reading a timeline');
  return timelineSchema.parse(JSON.parse(String(result.value)));
}
