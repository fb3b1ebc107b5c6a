import { setTimeout as sleep } from 'node:timers/promises';
import type { PathCheckDepth } from '../../src/core/model/path-check-depth.ts';
import type { DirectionSpec, NetworkSpec } from '../../src/core/model/network-spec.ts';
import {
  lossAndOrder,
  roundTrip,
  sharedRate,
  tcpRate,
  udpRate,
  type CheckTimes,
  type PathCheck,
  type TracePosition,
  type Way,
} from './path-checks.ts';
import { remeasure } from './remeasure.ts';
import { managedQueues } from './queue-checks.ts';
import type { ShapedPath } from './shaped-path.ts';
import { chooseStretch, type CheckStretch } from './traces/check-stretch.ts';

/** Below this large packets come less often than a quick check waits for one. */
const minQuickMbps = 0.1;
/** Above this both directions are tested for their rate one after the other: the machine must not be what is measured. */
const togetherBelowMbps = 60;
const settleMs = 100;

const fullTimes: CheckTimes = {
  pings: 20,
  maxLossSeconds: 3,
  rateSeconds: 1.5,
  rateTolerance: 0.02,
  idleMs: 700,
};
const quickPings = 3;
const quickLossSeconds = 0.2;
const quickRateSeconds = 0.3;
/** A process that wakes 12 ms late. */
const quickRateTolerance = 0.04;
const quickIdleMs = 250;

/** A direction of which no packet may come for longer, as its figures say, is waited for as in full. */
function timesOf(depth: PathCheckDepth, { rateMbps, jitterMs, trace }: DirectionSpec): CheckTimes {
  if (depth === 'full') return fullTimes;
  const isSlow = rateMbps !== null && rateMbps < minQuickMbps;
  const idleMs = isSlow || trace !== undefined ? fullTimes.idleMs : quickIdleMs + 2 * jitterMs;
  return {
    pings: quickPings,
    maxLossSeconds: quickLossSeconds,
    rateSeconds: quickRateSeconds,
    rateTolerance: quickRateTolerance,
    idleMs,
  };
}

function waysOf(
  spec: NetworkSpec,
  path: ShapedPath,
  stretch: CheckStretch,
  depth: PathCheckDepth,
): readonly [Way, Way] {
  const { client, server, traces } = path;
  const way = (direction: 'up' | 'down'): Omit<Way, 'from' | 'to' | 'toAddress'> => ({
    times: timesOf(depth, spec[direction]),
    direction,
    spec: spec[direction],
    trace: traces[direction],
    minMbps: stretch[direction]?.minMbps ?? spec[direction].rateMbps,
    peakMbps: stretch[direction]?.peakMbps ?? spec[direction].rateMbps,
    isLink: spec.offloads,
  });
  return [
    { ...way('up'), from: client, to: server, toAddress: path.place.farAddress },
    { ...way('down'), from: server, to: client, toAddress: path.place.nearAddress },
  ];
}

/**
 * Measures the path in each direction: round trip, delay, loss, order and rate with UDP; in full also the rate with TCP, and a
 * managed queue.
 */
export async function measurePath(
  spec: NetworkSpec,
  path: ShapedPath,
  program: string,
  depth: PathCheckDepth = 'full',
): Promise<PathCheck[]> {
  const stretch = chooseStretch(path.traces.up, path.traces.down);
  const [up, down] = waysOf(spec, path, stretch, depth);
  const begin = async (): Promise<TracePosition> => {
    await path.begin(`start 1 ${Math.round(stretch.offsetMs * 1e6)}`);
    const beganNs = Number(process.hrtime.bigint());
    // The last test's packets must be gone; in quick each waits until they are.
    if (depth === 'full') await sleep(settleMs);
    return { beganNs, offsetMs: stretch.offsetMs };
  };
  // On a link that both directions share, each would be held up by the other.
  const isShared = spec.duplex === 'half';
  const isSlow = [up, down].every(({ peakMbps }) => peakMbps !== null && peakMbps <= togetherBelowMbps);
  type Check = (way: Way, position: TracePosition) => Promise<PathCheck[]>;
  const each = async (run: Check, atOnce: boolean): Promise<PathCheck[]> => {
    const position = await begin();
    if (atOnce) return (await Promise.all([run(up, position), run(down, position)])).flat();
    const first = await run(up, position);
    return [...first, ...(await run(down, await begin()))];
  };
  await begin();
  const checks = [await roundTrip(up, down, program)];
  if (depth === 'full') checks.push(await roundTrip(down, up, program));
  checks.push(...(await each((way) => lossAndOrder(way, program), !isShared)));
  checks.push(...(await each((way, position) => udpRate(way, program, position), isSlow && !isShared)));
  if (isShared) {
    await begin();
    checks.push(await sharedRate(up, down, program));
  }
  if (depth === 'quick') return checks;
  await begin();
  // One after the other: acknowledgements that wait behind the other direction's data would be what is measured.
  checks.push(...(await tcpRate(up, down, program)));
  await begin();
  checks.push(...(await tcpRate(down, up, program)));
  checks.push(...(await managedQueues([up, down], path, program)));
  return checks;
}

/**
 * Checks that the path is what it says, and looks again where it seems not to be.
 *
 * @throws H2h3Error `process-failed` with the figures that are off.
 */
export function selfCheck(
  spec: NetworkSpec,
  path: ShapedPath,
  program: string,
  depth: PathCheckDepth,
): Promise<PathCheck[]> {
  return remeasure(spec.id, () => measurePath(spec, path, program, depth));
}
