import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveTrial } from '../../../../src/analyse/derive/derive-trial.ts';
import { metricDifferences } from '../../../../src/analyse/derive/metric-differences.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import { trialMetricsSchema } from '../../../../src/core/model/metrics.ts';
import { trialStatusSchema } from '../../../../src/core/model/record.ts';
import { downloadEvidence, pageEvidence, rawTrial, videoEvidence, videoSession } from './evidence.ts';
import { filledImage } from './images.ts';

const junk = fc.oneof(
  fc.constantFrom(undefined, null, '', 'x', true, Number.NaN, Infinity, -Infinity, -1, 0, 1e308, [], {}, [
    null,
  ]),
  fc.double(),
  fc.string(),
  fc.jsonValue(),
);

const stall = { startMs: 3000, endMs: 3500, mediaSeconds: 1, bufferSeconds: 0 };
const bufferSamples = [0, 90, 300].map((tMs) => ({ tMs, levelSeconds: 1, mediaSeconds: 0 }));
const whole: readonly TrialEvidence[] = [
  pageEvidence({
    raw: rawTrial({
      frames: [
        { file: '0.jpg', tMs: 5 },
        { file: '1.jpg', tMs: 9 },
      ],
      counters: { UdpRcvbufErrors: 1 },
    }),
    frameImages: [filledImage(8, 8, 0), filledImage(8, 8, 8)],
  }),
  videoEvidence(videoSession({ stalls: [stall], bufferSamples })),
  downloadEvidence(),
];

/** Paths of all values in evidence, as lists of keys; image bytes are one value. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const mutated = fc.constantFrom(...whole).chain((evidence) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsOf(evidence).filter((path) => path.length > 0)), junk), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) =>
      changes.reduce<unknown>((changed, [path, by]) => {
        try {
          return replaced(changed, path, by);
        } catch {
          // An earlier change took away what this path led to.
          return changed;
        }
      }, evidence),
    ),
);

async function assertSound(evidence: unknown): Promise<void> {
  const derived = await deriveTrial(evidence as TrialEvidence);
  assert.ok(trialStatusSchema.safeParse(derived.status).success);
  if (derived.status !== 'ok') assert.ok((derived.reason ?? '').length > 0, 'a reason is given');
  else assert.equal(derived.reason, undefined);
  assert.ok(derived.warnings.every((warning) => typeof warning === 'string' && warning !== ''));
  // The journal takes it, and no number is lost on the way through JSON.
  const journalled = trialMetricsSchema.parse(JSON.parse(JSON.stringify(derived.metrics)));
  assert.deepEqual(metricDifferences(journalled, derived.metrics), []);
}

test('evidence with some values replaced by junk gives a status, a reason and sound metrics', async () => {
  await fc.assert(fc.asyncProperty(mutated, assertSound), { numRuns: 500 });
});

test('absurd but well-formed numbers give a status, a reason and sound metrics', async () => {
  const number = fc.oneof(
    fc.constantFrom(0, -1, 1e-300, 1e308, -1e308),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const numbersOf = (evidence: TrialEvidence): (readonly string[])[] =>
    pathsOf(evidence).filter((path) => typeof valueAt(evidence, path) === 'number');
  const absurd = fc
    .constantFrom(...whole)
    .chain((evidence) =>
      fc
        .array(fc.tuple(fc.constantFrom(...numbersOf(evidence)), number), { minLength: 1, maxLength: 8 })
        .map((changes) =>
          changes.reduce<unknown>((changed, [path, by]) => replaced(changed, path, by), evidence),
        ),
    );
  await fc.assert(fc.asyncProperty(absurd, assertSound), { numRuns: 500 });
});

test('anything at all gives a status and a reason', async () => {
  await fc.assert(fc.asyncProperty(fc.anything(), assertSound), { numRuns: 500 });
});

test('replacing the protocol of any one object never leaves a trial ok', async () => {
  const entries = whole.flatMap((evidence) =>
    (evidence.har?.log.entries ?? []).map((_, index) => ({ evidence, index })),
  );
  const names = fc.constantFrom('h3', 'http/1.1', 'http/1.0', 'unknown', '', 'quic', 'data');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...entries), names, async ({ evidence, index }, name) => {
      const path = ['har', 'log', 'entries', `${index}`, 'response', 'httpVersion'];
      const { status, reason } = await deriveTrial(replaced(evidence, path, name) as TrialEvidence);
      assert.equal(status, 'invalid');
      assert.ok(reason?.includes(evidence.har?.log.entries[index]?.request.url ?? '?'));
    }),
    { numRuns: 200 },
  );
});

test('losing any one line of the log never leaves a trial ok', async () => {
  for (const evidence of whole.filter(({ workload }) => workload.loggedHosts.length > 0)) {
    const log = evidence.raw.serverLog ?? [];
    for (const lost of log.keys()) {
      const serverLog = log.filter((_, index) => index !== lost);
      const { status } = await deriveTrial({ ...evidence, raw: { ...evidence.raw, serverLog } });
      assert.equal(status, 'invalid');
    }
  }
});
