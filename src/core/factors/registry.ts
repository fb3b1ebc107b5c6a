import type { Factors } from '../model/factor.ts';
import { app } from './app.ts';
import { crosstraffic } from './crosstraffic.ts';
import { burstloss } from './burstloss.ts';
import { certificate } from './certificate.ts';
import { certificatecompression } from './certificatecompression.ts';
import { cipher } from './cipher.ts';
import { client } from './client.ts';
import { coalescing } from './coalescing.ts';
import { congestion } from './congestion.ts';
import { cpu } from './cpu.ts';
import { discovery } from './discovery.ts';
import { duplicate } from './duplicate.ts';
import { ecn } from './ecn.ts';
import type { Factor } from './factor.ts';
import { fault } from './fault.ts';
import { flags } from './flags.ts';
import { migration } from './migration.ts';
import { initialwindow } from './initialwindow.ts';
import { keyexchange } from './keyexchange.ts';
import { keytype } from './keytype.ts';
import { lossburst } from './lossburst.ts';
import { mtu } from './mtu.ts';
import { network } from './network.ts';
import { offloads } from './offloads.ts';
import { outage } from './outage.ts';
import { pacing } from './pacing.ts';
import { player } from './player.ts';
import { prefers } from './prefers.ts';
import { priorities } from './priorities.ts';
import { processes } from './processes.ts';
import { protocol } from './protocol.ts';
import { proxy } from './proxy.ts';
import { queue } from './queue.ts';
import { queuesize } from './queuesize.ts';
import { reorder } from './reorder.ts';
import { resume } from './resume.ts';
import { competingflows } from './competingflows.ts';
import { server } from './server.ts';
import { slowstartafteridle } from './slowstartafteridle.ts';
import { storage } from './storage.ts';
import { tcpbuffers } from './tcpbuffers.ts';
import { tls } from './tls.ts';
import { transport } from './transport.ts';
import { udp } from './udp.ts';
import { url } from './url.ts';

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
  queue,
  queuesize,
  ecn,
  burstloss,
  reorder,
  duplicate,
  outage,
  lossburst,
  crosstraffic,
  offloads,
  mtu,
  tcpbuffers,
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
  prefers,
  processes,
  migration,
  competingflows,
  player,
  transport,
  resume,
  discovery,
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
