import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { environmentSchema, type Environment } from '../../model/environment.ts';
import { H2h3Error } from '../../model/errors.ts';
import { planSchema, type Plan } from '../../model/plan.ts';
import { trialRecordSchema, type TrialRecord } from '../../model/record.ts';
import { filesBelow } from '../../system/files-below.ts';
import { writeWhole } from '../../system/write-whole.ts';
import { pathInside } from '../path-inside.ts';
import type { RunDirectory } from '../run-directory.ts';
import type { ResultsStore } from './results-store.ts';

const artifactSchema = z.object({ path: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const resultSchema = z.object({ record: trialRecordSchema, artifacts: z.array(artifactSchema) });

/** What the machines of one run tell each other through a results store; every object is written once. */
export interface LeaseResults {
  /** Of whom coordinates; the same again changes nothing. */
  publishPlan(plan: Plan): Promise<void>;
  plan(): Promise<Plan | null>;
  /** Takes a lease for a host for good; null, or the host that has begun it before. */
  claim(leaseId: string, host: string): Promise<string | null>;
  claimedBy(leaseId: string): Promise<string | null>;
  /** A trial's files first, each content once, then its record: where that is, they all are. */
  keep(leaseId: string, record: TrialRecord, trialDir: string): Promise<void>;
  /** Brings the records of a lease that a run directory lacks, with their files. */
  bring(leaseId: string, directory: RunDirectory, has: (trialId: string) => boolean): Promise<TrialRecord[]>;
  /** That of the host that asked first, with which all others are compared. */
  firstEnvironment(own: Environment): Promise<Environment>;
  joinHost(host: string, environment: Environment): Promise<void>;
  /** With which a host has joined; null for one that has not. */
  joined(host: string): Promise<Environment | null>;
  environments(): Promise<Environment[]>;
}

/** @param runId of `plan.queue` */
export function leaseResults(store: ResultsStore, runId: string): LeaseResults {
  const own = `runs/${runId}`;
  const text = async (key: string): Promise<string | null> => {
    const content = await store.get(key);
    return content === null ? null : Buffer.from(content).toString('utf8');
  };
  const parsed = async <T>(key: string, schema: z.ZodType<T>): Promise<T | null> => {
    const content = await text(key);
    return content === null ? null : schema.parse(JSON.parse(content));
  };
  const claimKey = (leaseId: string): string => `${own}/claims/${leaseId}`;
  const hostKey = (host: string): string => `${own}/hosts/${encodeURIComponent(host)}.json`;
  const environmentOf = (key: string): Promise<Environment | null> => parsed(key, environmentSchema);
  return {
    publishPlan: async (plan) => void (await store.put(`${own}/plan.json`, JSON.stringify(plan))),
    plan: () => parsed(`${own}/plan.json`, planSchema),
    claim: async (leaseId, host) =>
      (await store.put(claimKey(leaseId), host, { ifAbsent: true })) ? null : await text(claimKey(leaseId)),
    claimedBy: (leaseId) => text(claimKey(leaseId)),
    keep: async (leaseId, record, trialDir) => {
      const artifacts = await keepFiles(store, trialDir);
      const content = JSON.stringify({ record, artifacts });
      await store.put(`${own}/records/${leaseId}/${record.trialId}.json`, content, { ifAbsent: true });
    },
    bring: async (leaseId, directory, has) => {
      const brought: TrialRecord[] = [];
      const prefix = `${own}/records/${leaseId}/`;
      for (const key of (await store.list(prefix)).sort()) {
        if (has(key.slice(prefix.length, -'.json'.length))) continue;
        const result = await parsed(key, resultSchema);
        if (result === null) continue;
        const folder = directory.trialDir(result.record.trialId, { fresh: true });
        for (const artifact of result.artifacts) await bringFile(store, folder, artifact);
        brought.push(result.record);
      }
      return brought;
    },
    firstEnvironment: async (environment) => {
      const key = `${own}/environment.json`;
      const first = await store.put(key, JSON.stringify(environment), { ifAbsent: true });
      return first ? environment : ((await environmentOf(key)) ?? environment);
    },
    joinHost: async (host, environment) =>
      void (await store.put(hostKey(host), JSON.stringify(environment))),
    joined: (host) => environmentOf(hostKey(host)),
    environments: async () => {
      const keys = (await store.list(`${own}/hosts/`)).sort();
      return (await Promise.all(keys.map(environmentOf))).flatMap((one) => one ?? []);
    },
  };
}

const blobKey = (sha256: string): string => `blobs/${sha256.slice(0, 2)}/${sha256}`;

async function keepFiles(store: ResultsStore, trialDir: string): Promise<z.infer<typeof artifactSchema>[]> {
  const kept: z.infer<typeof artifactSchema>[] = [];
  // A trial that never began has no folder.
  for (const entry of filesBelow(trialDir).sort()) {
    const content = readFileSync(join(trialDir, entry));
    const sha256 = createHash('sha256').update(content).digest('hex');
    await store.put(blobKey(sha256), content, { ifAbsent: true });
    kept.push({ path: entry, sha256 });
  }
  return kept;
}

async function bringFile(
  store: ResultsStore,
  folder: string,
  { path, sha256 }: z.infer<typeof artifactSchema>,
): Promise<void> {
  const content = await store.get(blobKey(sha256));
  const damaged = content === null || createHash('sha256').update(content).digest('hex') !== sha256;
  if (damaged)
    throw new H2h3Error('bad-input', `${store.place} ${content === null ? 'lacks' : 'has damaged'} the content of ${path}`, {
      context: { file: blobKey(sha256) },
      next: 'Nothing was removed; the trial is brought when the content is there again.',
    });
  const file = pathInside(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, content);
}
