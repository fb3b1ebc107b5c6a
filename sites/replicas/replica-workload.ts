import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  PrepareContext,
  PreparedWorkload,
  Workload,
  WorkloadFacts,
} from '../../src/core/model/workload.ts';
import { shortHash } from '../localise/write-roots.ts';
import { makeWhole } from '../make-whole.ts';
import { buildReplica } from './build-replica.ts';
import { turnsPerMsOf } from './machine-speed.ts';
import { planReplica, type ReplicaPlan } from './plan-replica.ts';
import { replicaHost } from './replica-object.ts';
import type { SiteShape } from './site-shape.ts';
import { readKept } from '../../src/core/system/read-input.ts';

/** Raise it when the same shape gives other files than before. */
const generatorVersion = 11;
const seed = 'h2h3';
const quietMs = 500;
/** A minute, and more for pages of many objects: a slow machine must not turn the largest into a failure. */
const deadlineMs = (objectCount: number): number => 60_000 + objectCount * 50;

interface LaidOut {
  readonly plan: ReplicaPlan;
  readonly facts: WorkloadFacts;
}

/** A synthetic page with the shape of a recorded one. It is laid out when it is asked for: a run has a few of the hundred that ship. */
export function replicaWorkload(shape: SiteShape): Workload {
  let laidOut: LaidOut | undefined;
  const layOut = (): LaidOut => {
    if (laidOut !== undefined) return laidOut;
    const plan = planReplica(shape);
    return (laidOut = { plan, facts: factsOf(shape, plan) });
  };
  return {
    id: replicaId(shape),
    kind: 'page',
    title: `Replica of ${shape.site}`,
    get facts() {
      return layOut().facts;
    },
    get expectedTrialMs() {
      const { plan, facts } = layOut();
      const megabytes = (facts.wireBytes ?? 0) / 1_000_000;
      return Math.round(2_000 + plan.objects.length * 5 + megabytes * 20 + plan.syntheticDelayMs);
    },
    prepare: (context) => {
      const { plan, facts } = layOut();
      return prepare(shape, plan, facts, context);
    },
  };
}

export function replicaId(shape: SiteShape): string {
  return `replica-${shape.site.toLowerCase()}`;
}

function factsOf(shape: SiteShape, plan: ReplicaPlan): WorkloadFacts {
  const types: Record<string, number> = {};
  for (const object of plan.objects) types[object.type] = (types[object.type] ?? 0) + 1;
  return {
    objectCount: plan.objects.length,
    hostCount: plan.hostCount,
    wireBytes: plan.objects.reduce((sum, object) => sum + object.wireBytes, 0),
    types,
    syntheticDelayMs: plan.syntheticDelayMs,
    source: `generated from the shape of a recording (${shape.source}, ${shape.year}), seed ${seed}`,
    licence: 'MIT',
  };
}

async function prepare(
  shape: SiteShape,
  plan: ReplicaPlan,
  facts: WorkloadFacts,
  context: PrepareContext,
): Promise<PreparedWorkload> {
  const turnsPerMs = turnsPerMsOf(context.cacheDir);
  const key = shortHash({ generatorVersion, shape, seed, port: context.port, turnsPerMs });
  const directory = join(context.cacheDir, 'replicas', `${plan.site.toLowerCase()}-${key}`);
  const hosts = hostsOf(directory) ?? (await generate({ plan, directory, turnsPerMs }, context));
  return {
    id: replicaId(shape),
    kind: 'page',
    title: `Replica of ${shape.site}`,
    roots: hosts.map((host) => ({ host, directory: join(directory, host) })),
    entry: { host: replicaHost(plan.domain, plan.objects[plan.document]?.host ?? 0), path: '/index.html' },
    driver: 'load',
    quietMs,
    deadlineMs: deadlineMs(plan.objects.length),
    loggedHosts: [],
    mediaBufferMegabytes: 0,
    facts,
  };
}

function hostsOf(directory: string): string[] | null {
  const text = readKept(join(directory, 'replica.json'), 'the hosts of a replica');
  return text === null ? null : (JSON.parse(text) as { hosts: string[] }).hosts;
}

interface Making {
  readonly plan: ReplicaPlan;
  readonly directory: string;
  readonly turnsPerMs: number;
}

async function generate(
  { plan, directory, turnsPerMs }: Making,
  context: PrepareContext,
): Promise<readonly string[]> {
  const title = `Making the replica of ${plan.site}`;
  let hosts: readonly string[] = [];
  await makeWhole(directory, async (scratch) => {
    const built = await buildReplica({
      plan,
      turnsPerMs,
      seed,
      port: context.port,
      directory: scratch,
      onObject: (done, of) => {
        context.signal.throwIfAborted();
        context.progress({ title, fraction: done / of });
      },
    });
    await writeFile(join(scratch, 'replica.json'), JSON.stringify(built, null, 1));
    hosts = built.hosts;
    return scratch;
  });
  return hosts;
}
