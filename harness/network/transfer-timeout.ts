import { meanLoss, type NetworkSpec } from '../../src/model/network-spec.ts';
import type { PathTraces } from './path-traces.ts';
import { meanMbps } from './traces/trace.ts';

const segmentBytes = 1448;
/** Lost packets beyond the model: time-outs, bursts, a busy machine. */
const slack = 5;
const floorMs = 30_000;

/**
 * Rate of a loss-based transfer at a loss of p: segment ÷ round trip × √(3/2p) (Mathis, Semke, Mahdavi and Ott 1997),
 * bounded by the link.
 */
export function expectedMbps(spec: NetworkSpec, traces: PathTraces): number {
  const loss = meanLoss(spec.down);
  const rttSeconds = Math.max(1, spec.up.delayMs + spec.down.delayMs) / 1000;
  const lossLimit =
    loss > 0
      ? ((segmentBytes * 8) / 1e6 / rttSeconds) * Math.sqrt(1.5 / loss) * (1 - loss)
      : Number.POSITIVE_INFINITY;
  const linkLimit = traces.down ? meanMbps(traces.down) : (spec.down.rateMbps ?? Number.POSITIVE_INFINITY);
  return Math.min(lossLimit, linkLimit);
}

/** Time in which even a slow transfer of so many bytes is done, ms. */
export function transferTimeoutMs(spec: NetworkSpec, traces: PathTraces, bytes: number): number {
  const mbps = expectedMbps(spec, traces);
  return Number.isFinite(mbps) ? Math.round(floorMs + (slack * bytes * 8) / 1000 / mbps) : 0;
}
