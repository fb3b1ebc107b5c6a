import type { Audience } from './audience.ts';
import { audienceNetwork } from './audience-network.ts';
import { deriveSeed } from './seeded-random.ts';

/** As text, so that figures of the same value are the same. */
const shareText = (share: number): string => (share * 100).toFixed(2);

/**
 * An audience as a series over runs knows it: the same for the same links with the same shares, whatever file they came from,
 * and another one as soon as any of them changes.
 */
export function audienceSeries({ source, conditions }: Pick<Audience, 'source' | 'conditions'>): {
  readonly id: string;
  readonly title: string;
} {
  const parts = conditions
    .map(({ share, rttMs, downMbps, upMbps, lossPercent, cpuSharePercent, family, view, client }) =>
      [shareText(share), rttMs, downMbps, upMbps, lossPercent, cpuSharePercent, family, view, client].join(
        ' ',
      ),
    )
    .toSorted();
  const digest = deriveSeed(0, ...parts).toString(36);
  return { id: `${audienceNetwork}.${digest}`, title: `your users of ${source} (${digest})` };
}

/** Who they are, in words and without names: the figures of each segment with its share, the largest first. */
export function audienceWords({ conditions }: Pick<Audience, 'conditions'>): string {
  return conditions
    .toSorted((a, b) => b.share - a.share)
    .map(({ share, rttMs, downMbps, upMbps, lossPercent, cpuSharePercent, family, view, client }) =>
      [
        `${shareText(share)} % ${rttMs} ms at ${downMbps} Mbit/s down and ${upMbps} up`,
        ...(lossPercent === 0 ? [] : [`${lossPercent} % loss`]),
        ...(cpuSharePercent === undefined ? [] : [`${cpuSharePercent} % of a CPU`]),
        ...(family === undefined ? [] : [`IP ${family}`]),
        ...[view, client].flatMap((one) => one ?? []),
      ].join(', '),
    )
    .join('; ');
}
