import type { Factors } from '../model/factor.ts';
import { cpu, cpus, flags, prefers, processes } from './client-settings.ts';
import { coalescing, discovery, migration, resume, udp } from './connecting.ts';
import type { Factor } from './factor.ts';
import { aaaa, family, httpsAnswer, ipv6, resolver } from './families.ts';
import { burstloss, duplicate, lossburst, lostpackets, outage, reorder } from './link-faults.ts';
import { ecn, mtu, offloads, queue, queuesize } from './link.ts';
import { player, transport } from './media.ts';
import { competingflows, crosstraffic } from './other-traffic.ts';
import { app, client, fault, network, protocol, proxy, server, url } from './participants.ts';
import {
  congestion,
  initialwindow,
  pacing,
  priorities,
  slowstartafteridle,
  storage,
  sendwindow,
  tcpbuffers,
} from './sending.ts';
import { certificate, certificatecompression, cipher, keyexchange, keytype, tls } from './tls.ts';

/** Everything that can be set for a trial, in the order in which labels and reports name it. */
const registered = [
  protocol,
  client,
  url,
  app,
  server,
  congestion,
  proxy,
  network,
  family,
  ipv6,
  queue,
  queuesize,
  ecn,
  burstloss,
  reorder,
  duplicate,
  outage,
  lossburst,
  lostpackets,
  crosstraffic,
  offloads,
  mtu,
  tcpbuffers,
  sendwindow,
  initialwindow,
  slowstartafteridle,
  cipher,
  tls,
  certificate,
  certificatecompression,
  keytype,
  keyexchange,
  coalescing,
  pacing,
  storage,
  priorities,
  cpu,
  cpus,
  prefers,
  processes,
  migration,
  competingflows,
  player,
  transport,
  resume,
  discovery,
  httpsAnswer,
  aaaa,
  resolver,
  udp,
  flags,
  fault,
] as const;

export type RegisteredFactor = (typeof registered)[number];
export type FactorName = RegisteredFactor['id'];

/** A factor by its name, where what its values are does not matter. */
export type AnyFactor = Factor<FactorName>;

export const factors: readonly AnyFactor[] = Object.freeze(registered);

export const factorNames: readonly FactorName[] = factors.map(({ id }) => id);

const byName: ReadonlyMap<string, AnyFactor> = new Map(factors.map((factor) => [factor.id, factor]));

/** Undefined for a name that no factor has. */
export function factorNamed(name: string): AnyFactor | undefined {
  return byName.get(name);
}

export function factorOf(name: FactorName): AnyFactor {
  const factor = byName.get(name);
  if (factor === undefined) throw new Error(`no factor is called ${name}`);
  return factor;
}

/** The factors that have a text or a value there, in the order of the registry. */
export function factorsSetIn(assignment: { readonly [Name in FactorName]?: unknown }): AnyFactor[] {
  return factors.filter(({ id }) => assignment[id] !== undefined);
}

/** The factors in which two assignments differ, in the order of the registry. */
export function differingFactors(a: Factors, b: Factors): FactorName[] {
  return factorNames.filter((name) => a[name] !== b[name]);
}

/** Whether two assignments differ in this factor and in no other. */
export function differOnlyIn(name: FactorName, a: Factors, b: Factors): boolean {
  const [first, ...others] = differingFactors(a, b);
  return first === name && others.length === 0;
}
