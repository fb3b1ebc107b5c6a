import type { TraceSource } from '../../../src/core/model/network-spec.ts';
import { drawNormal, seededRandom, type SeededRandom } from '../../../src/core/model/seeded-random.ts';
import type { Trace } from './trace.ts';

type GeneratedSource = Extract<TraceSource, { format: 'generated' }>;
type ClassName = GeneratedSource['generator'];

/** One part of the hidden process: x(t) = first · x(t−1) + second · x(t−2) + noise, of variance 1. */
interface Component {
  readonly weight: number;
  readonly first: number;
  readonly second: number;
}

/**
 * A class of mobile throughput, second by second. A hidden Gaussian process gives the memory, a table of quantiles
 * the distribution (a Gaussian copula), so that both can be set apart from each other.
 */
interface TraceClass {
  /** Pairs of a share of seconds and the rate in Mbit/s that it stays below, both ascending; between them straight lines. */
  readonly quantiles: readonly (readonly [share: number, mbps: number])[];
  readonly components: readonly Component[];
}

/**
 * Fitted to statistics of measured traces of the same classes (the Lumos5G family: Narayanan et al., "Lumos5G: Mapping
 * and Predicting Commercial mmWave 5G Throughput", IMC 2020): mean, median, 95th percentile and share of outages of the
 * median trace of a class, and its autocorrelation after 1 s and 5 s. No measured value is in here.
 */
const classes: Readonly<Record<ClassName, TraceClass>> = {
  '4g-walking': {
    quantiles: [
      [0, 0],
      [0.015, 1],
      [0.05, 3],
      [0.25, 8],
      [0.5, 20],
      [0.75, 44],
      [0.9, 87],
      [0.95, 117],
      [0.99, 180],
      [1, 240],
    ],
    components: [
      { weight: 0.919, first: 0.994, second: 0 },
      { weight: 0.081, first: 0.6, second: 0 },
    ],
  },
  '4g-driving': {
    quantiles: [
      [0, 0],
      [0.015, 1],
      [0.05, 3],
      [0.25, 14],
      [0.5, 29],
      [0.75, 54],
      [0.9, 84],
      [0.95, 104],
      [0.99, 160],
      [1, 230],
    ],
    components: [{ weight: 1, first: 0.9638, second: -0.065 }],
  },
  '5g-walking': {
    quantiles: [
      [0, 0],
      [0.02, 1],
      [0.05, 6],
      [0.1, 40],
      [0.25, 110],
      [0.5, 439],
      [0.75, 880],
      [0.9, 1300],
      [0.95, 1540],
      [0.99, 1720],
      [1, 1850],
    ],
    components: [
      { weight: 0.667, first: 0.993, second: 0 },
      { weight: 0.333, first: 0.8, second: 0 },
    ],
  },
  '5g-driving': {
    quantiles: [
      [0, 0],
      [0.02, 1],
      [0.05, 10],
      [0.1, 55],
      [0.25, 100],
      [0.5, 135],
      [0.75, 470],
      [0.9, 900],
      [0.95, 1136],
      [0.99, 1500],
      [1, 1700],
    ],
    components: [{ weight: 1, first: 0.943, second: -0.079 }],
  },
};

/** Standard normal distribution function, by Abramowitz and Stegun 26.2.17 (error below 7.5e-8). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z > 0 ? 1 - tail : tail;
}

function rateAt(quantiles: TraceClass['quantiles'], share: number): number {
  const above = quantiles.findIndex(([limit]) => limit >= share);
  const [highShare, highMbps] = quantiles[above] ?? [1, 0];
  const [lowShare, lowMbps] = quantiles[above - 1] ?? [0, 0];
  if (highShare === lowShare) return highMbps;
  return lowMbps + ((highMbps - lowMbps) * (share - lowShare)) / (highShare - lowShare);
}

/** Values of a component, second by second, from its stationary distribution on. */
function* process({ first, second }: Component, random: SeededRandom): Generator<number, never> {
  // Variance of an AR(2) process whose noise has variance 1 (Box, Jenkins and Reinsel, section 3.2.4).
  const variance = (1 - second) / ((1 + second) * ((1 - second) ** 2 - first ** 2));
  const noise = 1 / Math.sqrt(variance);
  let before = drawNormal(random);
  let now = 0;
  const correlation = first / (1 - second);
  now = correlation * before + Math.sqrt(1 - correlation ** 2) * drawNormal(random);
  for (;;) {
    yield now;
    [before, now] = [now, first * now + second * before + noise * drawNormal(random)];
  }
}

/** A trace of the class, the same for the same seed; a rate a second, in steps of 0.1 Mbit/s. */
export function generateTrace(source: GeneratedSource): Trace {
  const { quantiles, components } = classes[source.generator];
  const random = seededRandom(source.seed);
  const parts = components.map((component) => ({
    scale: Math.sqrt(component.weight),
    values: process(component, random),
  }));
  const steps = Array.from({ length: source.durationSeconds }, (_, second) => {
    const hidden = parts.reduce((sum, { scale, values }) => sum + scale * values.next().value, 0);
    const mbps = Math.round(rateAt(quantiles, normalShare(hidden)) * source.scale * 10) / 10;
    return { startMs: second * 1000, mbps };
  });
  return { kind: 'steps', steps, lengthMs: source.durationSeconds * 1000 };
}
