/** What a flow was sent through. */
export interface LossyLink {
  readonly rateMbps: number;
  readonly roundTripMs: number;
  readonly lossPercent: number;
}

export type LossResponse = 'backs-off' | 'ignores-loss' | 'between';

const segmentBytes = 1448;
/** A flow that reaches this share of the link's rate did not slow down for the losses. */
const unmovedShare = 0.6;
/** Loss-based senders were seen up to this many times above the model's rate: it counts no fast recovery. */
const modelSlack = 2.2;

/** Segment ÷ round trip × √(3/2p) (Mathis, Semke, Mahdavi and Ott 1997), Mbit/s: what New Reno reaches at a loss of p. */
export function lossBasedMbps({ roundTripMs, lossPercent }: LossyLink): number {
  return ((segmentBytes * 8) / 1000 / roundTripMs) * Math.sqrt(150 / lossPercent);
}

/** What a sender's rate on a link with random loss says of its congestion control. */
export function lossResponse(
  mbps: number,
  link: LossyLink,
): { readonly response: LossResponse; readonly words: string } {
  const model = lossBasedMbps(link);
  const figures = `New Reno's model gives ${model.toFixed(1)}, the link ${link.rateMbps}`;
  if (mbps >= unmovedShare * link.rateMbps)
    return { response: 'ignores-loss', words: `hardly slows down on random loss (${figures})` };
  if (mbps <= modelSlack * model)
    return {
      response: 'backs-off',
      words: `slows down on random loss, as loss-based senders do (${figures})`,
    };
  return { response: 'between', words: `slows down on random loss less than New Reno would (${figures})` };
}
