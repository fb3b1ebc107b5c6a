import { audienceNetwork } from '../../core/model/audience-network.ts';
import { type AudienceCondition } from '../../core/model/audience.ts';
import { networkSpecSchema, type NetworkSpec } from '../../core/model/network-spec.ts';
import { deriveSeed } from '../../core/model/seeded-random.ts';

/** Of ten packets at least, and of at most what the emulator's other links have. */
const minQueueBytes = 30_000;
/** The least share of a CPU that can be set. */
const minCpuPercent = 5;

/** The network of a condition, or why it cannot be had. */
export type ConditionNetwork =
  | { readonly spec: NetworkSpec; readonly refused?: undefined }
  | { readonly spec?: undefined; readonly refused: string };

/** What tells the conditions of an audience apart. Their shares and names do not. */
export type ConditionFigures = Omit<AudienceCondition, 'network' | 'title' | 'share' | 'segments'>;

/**
 * What a condition's network is called: by its figures, so that the same users have the same name in every run, and other users
 * never that one. A place in the order of shares would be other users as soon as the file changes.
 */
export function networkIdOf(figures: ConditionFigures): string {
  const { rttMs, downMbps, upMbps, lossPercent, cpuSharePercent, family, view, client } = figures;
  const rest = [upMbps, lossPercent, cpuSharePercent ?? '', family ?? '', view ?? '', client ?? ''];
  const digest = deriveSeed(0, rttMs, downMbps, ...rest).toString(36);
  return `${audienceNetwork}-${rttMs}ms-${downMbps}mbps-${digest}`;
}

/** A link of the condition's figures, half of the round trip each way, with a queue of one bandwidth-delay product (at least 30 KB). */
export function networkOfCondition(condition: AudienceCondition): ConditionNetwork {
  const { network, title, rttMs, downMbps, upMbps, lossPercent, cpuSharePercent = minCpuPercent } = condition;
  if (cpuSharePercent < minCpuPercent)
    return { refused: `less than ${minCpuPercent} % of a CPU cannot be set` };
  const direction = (rateMbps: number): Record<string, number> => ({
    rateMbps,
    delayMs: rttMs / 2,
    lossPercent,
    queueBytes: Math.max(minQueueBytes, Math.round((rateMbps * 1e6 * rttMs) / 8000)),
  });
  const parsed = networkSpecSchema.safeParse({
    id: network,
    title,
    source: 'a segment of the plan’s audience; queue: one bandwidth-delay product, at least 30 KB',
    up: direction(upMbps),
    down: direction(downMbps),
  });
  if (parsed.success) return { spec: parsed.data };
  return { refused: parsed.error.issues.map(({ message }) => message).join(', ') };
}
