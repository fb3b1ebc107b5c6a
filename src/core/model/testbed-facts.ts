import { z } from 'zod';
import type { PathFacts } from './network-spec.ts';
import { networkDescriptionSchema, serverDescriptionSchema } from './environment.ts';
import type { NetworkDescription, ServerDescription } from './environment.ts';
import { meanLoss, pathFactsOf, steadyRateMbps } from './network-spec.ts';

/** What one link of the way was set to, and that it was checked; of both directions, up being towards the server. */
export const linkFactsSchema = z.object({
  id: z.string(),
  backend: networkDescriptionSchema.shape.backend,
  impaired: z.boolean(),
  /** Without queueing. */
  roundTripMs: z.number(),
  /** Null: no limit, or one that varies with time. */
  upMbps: z.number().nullable(),
  downMbps: z.number().nullable(),
  upLossPercent: z.number(),
  downLossPercent: z.number(),
  /** Whether nothing about the link varies or is lost. */
  steady: z.boolean(),
  /** Segmentation offloads as they were read; null where they are not ours to know. */
  offloads: z.record(z.string(), z.boolean()).nullable(),
  /** As read back at both ends; absent where they are not ours. */
  mtuBytes: z.number().optional(),
  tcpBufferBytes: z.number().optional(),
  initialWindowPackets: networkDescriptionSchema.shape.initialWindowPackets,
  slowStartAfterIdle: networkDescriptionSchema.shape.slowStartAfterIdle,
  ecn: networkDescriptionSchema.shape.ecn,
  family: networkDescriptionSchema.shape.family,
  /** Self-checks that the link passed before it was used. */
  checksPassed: z.number(),
});
export type LinkFacts = z.infer<typeof linkFactsSchema>;

/** The chain client – link – (proxy – link –) server that a trial really used. */
export const testbedFactsSchema = z.object({
  /** From the client to the server. */
  links: z.array(linkFactsSchema),
  server: serverDescriptionSchema,
  /** From the client to the server; empty where none stands between. */
  proxies: z.array(serverDescriptionSchema),
  /** Of all links together. */
  roundTripMs: z.number(),
  /** Whether nothing about any link varies or is lost. */
  steady: z.boolean(),
});
export type TestbedFacts = z.infer<typeof testbedFactsSchema>;

/** The facts of a link that is up. */
export function linkFactsOf(description: NetworkDescription): LinkFacts {
  const { id, backend, impaired, spec, offloads, mtuBytes, tcpBufferBytes, checks, realLink } = description;
  const { initialWindowPackets, slowStartAfterIdle, ecn, family } = description;
  // Nothing is set on the link between two machines: it is what was measured, and what it does later is not known.
  const unset = { roundTripMs: realLink?.roundTripMs ?? 0, steady: realLink === undefined };
  const path: PathFacts = spec === undefined ? unset : withBehind(pathFactsOf(spec), realLink);
  return {
    id,
    backend,
    impaired,
    offloads,
    ...(mtuBytes === undefined ? {} : { mtuBytes }),
    ...(tcpBufferBytes === undefined ? {} : { tcpBufferBytes }),
    ...(initialWindowPackets === undefined ? {} : { initialWindowPackets }),
    ...(slowStartAfterIdle === undefined ? {} : { slowStartAfterIdle }),
    ...(ecn === undefined ? {} : { ecn }),
    ...(family === undefined ? {} : { family }),
    roundTripMs: path.roundTripMs,
    steady: path.steady,
    upMbps: spec === undefined ? null : steadyRateMbps(spec.up),
    downMbps: spec === undefined ? null : steadyRateMbps(spec.down),
    upLossPercent: spec === undefined ? 0 : 100 * meanLoss(spec.up),
    downLossPercent: spec === undefined ? 0 : 100 * meanLoss(spec.down),
    checksPassed: checks.filter(({ ok }) => ok).length,
  };
}

/** An emulated link is known; what the real one behind it does later is not. */
function withBehind(path: PathFacts, behind: NetworkDescription['realLink']): PathFacts {
  return behind === undefined
    ? path
    : { ...path, roundTripMs: path.roundTripMs + behind.roundTripMs, steady: false };
}

/** The facts of a chain that is up. */
export function testbedFactsOf(
  links: readonly NetworkDescription[],
  server: ServerDescription,
  proxies: readonly ServerDescription[],
): TestbedFacts {
  const facts = links.map(linkFactsOf);
  return {
    links: facts,
    server,
    proxies: [...proxies],
    roundTripMs: facts.reduce((sum, { roundTripMs }) => sum + roundTripMs, 0),
    steady: facts.every(({ steady }) => steady),
  };
}

/** The whole chain as one path; its rate is that of the narrowest link whose rate is known and does not vary. */
export function pathFactsOfChain({ links, roundTripMs, steady }: TestbedFacts): PathFacts {
  const rates = links.flatMap(({ downMbps }) => downMbps ?? []);
  return { roundTripMs, steady, ...(rates.length === 0 ? {} : { rateMbps: Math.min(...rates) }) };
}
