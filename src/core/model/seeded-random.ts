/**
 * Seeded pseudo-random numbers, so that a plan, a trace offset or a replica comes out the same everywhere.
 *
 * Generator: sfc32 by Chris Doty-Humphrey (PractRand), seeded through splitmix32; it passes PractRand and
 * needs 32-bit integer arithmetic only, so every JavaScript engine gives the same sequence.
 */
export interface SeededRandom {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, limit). */
  integer(limit: number): number;
  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

function splitmix32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}

export function seededRandom(seed: number): SeededRandom {
  const spread = splitmix32(seed);
  let a = spread();
  let b = spread();
  let c = spread();
  let counter = 1;
  const next32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  const next = (): number => next32() / 2 ** 32;
  const integer = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    integer,
    shuffle<T>(items: readonly T[]): T[] {
      const copy = [...items];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = integer(i + 1);
        [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
      }
      return copy;
    },
  };
}

/** A standard normal value (Box & Muller 1958). */
export function drawNormal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A 32-bit seed out of a base seed and words (FNV-1a), for independent streams that stay the same when others change. */
export function deriveSeed(seed: number, ...words: readonly (string | number)[]): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of words.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
