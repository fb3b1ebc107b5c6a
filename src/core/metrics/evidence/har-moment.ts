/** A moment of a HAR: ISO 8601, of which browsers write whole milliseconds or finer fractions. */
export interface HarMoment {
  /** Null for a text that is no date. */
  readonly epochMs: number | null;
  /** The true moment lies at most this far after `epochMs`, as fractions are cut off. */
  readonly resolutionMs: number;
}

/** `Date.parse` with the digits after the third, which it drops. */
export function parseMoment(text: unknown): HarMoment {
  const wholeMs = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  if (typeof text !== 'string' || !Number.isFinite(wholeMs)) return { epochMs: null, resolutionMs: 1 };
  const finer = /\.\d{3}(\d+)/.exec(text)?.[1] ?? '';
  const resolutionMs = 10 ** -finer.length;
  return { epochMs: wholeMs + Number(finer) * resolutionMs, resolutionMs };
}
