import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseForeignJson } from '../../core/model/bounded-json.ts';
import { environmentSchema, type Environment } from '../../core/model/environment.ts';
import { H2h3Error, hasErrno } from '../../core/model/errors.ts';
import { planSchema, type Plan } from '../../core/model/plan.ts';
import { trialRecordSchema, type TrialRecord } from '../../core/model/record.ts';
import { systemError } from '../../core/model/system-error.ts';
import { filesBelow } from '../../core/system/files-below.ts';
import { largestInputBytes } from '../../core/system/read-input.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { pathInside } from '../path-inside.ts';
import type { RunDirectory } from '../run-directory.ts';
import { isSigned, signatureOf } from './plan-signature.ts';
import type { ResultsStore } from './results-store.ts';

const artifactSchema = z.object({
  path: z.string().regex(/^[^\p{Cc}]{1,500}$/u),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const resultSchema = z.object({ record: trialRecordSchema, artifacts: z.array(artifactSchema) });

/** What the machines of one run tell each other through a results store; every object is written once. */
export interface LeaseResults {
  /** Of whom coordinates, signed; the same again changes nothing. */
  publishPlan(plan: Plan): Promise<void>;
  /**
   * A plan says which commands a worker starts, so one that is not signed with the key is none.
   *
   * @throws H2h3Error `bad-input` for a plan that another key, or none, has signed
   */
  plan(): Promise<Plan | null>;
  /** Takes a lease for a host for good; null, or the host that has begun it before. */
  claim(leaseId: string, host: string): Promise<string | null>;
  claimedBy(leaseId: string): Promise<string | null>;
  /** A trial's files first, each content once, then its record: where that is, they all are. */
  keep(leaseId: string, record: TrialRecord, trialDir: string): Promise<void>;
  /** Brings the records of a lease's trials that a run directory wants, with their files. */
  bring(leaseId: string, directory: RunDirectory, wanted: ReadonlySet<string>): Promise<Brought>;
  /** That of the host that asked first; null where none has. */
  sharedEnvironment(): Promise<Environment | null>;
  /** The same, of this host where it is the first; all others are compared with it. */
  firstEnvironment(own: Environment): Promise<Environment>;
  joinHost(host: string, environment: Environment): Promise<void>;
  /** With which a host has joined; null for one that has not. */
  joined(host: string): Promise<Environment | null>;
  /** Those of all hosts; what cannot be read is left out and complained of. */
  environments(complain: (why: string) => void): Promise<Environment[]>;
}

/** What came of a lease. */
export interface Brought {
  readonly records: readonly TrialRecord[];
  /** Trials whose record, or whose files, cannot be used, with the reason. */
  readonly unusable: ReadonlyMap<string, string>;
}

/**
 * @param runId of `plan.queue`
 * @param key by which its hosts know one another's plan
 */
export function leaseResults(store: ResultsStore, runId: string, key: string): LeaseResults {
  const own = `runs/${runId}`;
  const text = async (key: string): Promise<string | null> => {
    const content = await store.get(key, largestInputBytes);
    return content === null ? null : Buffer.from(content).toString('utf8');
  };
  const parsed = async <T>(key: string, schema: z.ZodType<T>): Promise<T | null> => {
    const content = await text(key);
    return content === null ? null : documentOf(content, schema, `${store.place}: ${key}`);
  };
  const hostIn = async (key: string): Promise<string | null> => {
    const host = await text(key);
    return host !== null && hostForm.test(host) ? host : null;
  };
  const claimKey = (leaseId: string): string => `${own}/claims/${leaseId}`;
  const hostKey = (host: string): string => `${own}/hosts/${encodeURIComponent(host)}.json`;
  const environmentOf = (key: string): Promise<Environment | null> => parsed(key, environmentSchema);
  return {
    publishPlan: async (plan) => {
      const content = JSON.stringify(plan);
      await store.put(`${own}/plan.hmac`, signatureOf(content, runId, key));
      await store.put(`${own}/plan.json`, content);
    },
    plan: async () => {
      const content = await text(`${own}/plan.json`);
      if (content === null) return null;
      requireSigned(content, (await text(`${own}/plan.hmac`)) ?? '', runId, key);
      return documentOf(content, planSchema, `${store.place}: ${own}/plan.json`);
    },
    claim: async (leaseId, host) =>
      (await store.put(claimKey(leaseId), host, { ifAbsent: true }))
        ? null
        : ((await hostIn(claimKey(leaseId))) ?? 'a host without a name'),
    claimedBy: (leaseId) => hostIn(claimKey(leaseId)),
    keep: async (leaseId, record, trialDir) => {
      const artifacts = await keepFiles(store, trialDir);
      const content = JSON.stringify({ record, artifacts });
      await store.put(`${own}/records/${leaseId}/${record.trialId}.json`, content, { ifAbsent: true });
    },
    bring: (leaseId, directory, wanted) =>
      bringWanted(store, `${own}/records/${leaseId}/`, directory, wanted),
    sharedEnvironment: () => environmentOf(`${own}/environment.json`),
    firstEnvironment: async (environment) => {
      const key = `${own}/environment.json`;
      const first = await store.put(key, JSON.stringify(environment), { ifAbsent: true });
      return first ? environment : ((await environmentOf(key)) ?? environment);
    },
    joinHost: async (host, environment) => void (await store.put(hostKey(host), JSON.stringify(environment))),
    joined: (host) => environmentOf(hostKey(host)),
    environments: async (complain) => {
      const found: Environment[] = [];
      for (const key of (await store.list(`${own}/hosts/`)).sort()) {
        const environment = await unlessBad(() => environmentOf(key), complain);
        if (environment) found.push(environment);
      }
      return found;
    },
  };
}

/** @throws H2h3Error `bad-input` for a plan that another key, or none, has signed */
function requireSigned(plan: string, signature: string, runId: string, key: string): void {
  if (isSigned(plan, signature, runId, key)) return;
  throw new H2h3Error('bad-input', `the plan of run ${runId} is not signed with the key of this worker`, {
    next: 'Give coordinator and workers the same key. Where they have it, somebody else can write the results or the queue: SECURITY.md says what that means.',
  });
}

/** @throws H2h3Error `bad-input` for a text that is no such document */
function documentOf<T>(text: string, schema: z.ZodType<T>, what: string): T {
  let parsed: z.ZodSafeParseResult<T>;
  try {
    parsed = schema.safeParse(parseForeignJson(text));
  } catch (thrown) {
    throw damaged(`${what} is not JSON`, thrown);
  }
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(
    `${what} cannot be read: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`,
    parsed.error,
  );
}

function damaged(message: string, cause?: unknown): H2h3Error {
  return new H2h3Error('bad-input', message, {
    cause,
    next: 'It was cut short, or somebody else writes there. Nothing was removed.',
  });
}

/** What `act` comes to; of what cannot be read, undefined and a complaint. */
async function unlessBad<T>(act: () => Promise<T>, complain: (why: string) => void): Promise<T | undefined> {
  try {
    return await act();
  } catch (thrown) {
    const fault = thrown instanceof H2h3Error ? thrown : systemError(thrown);
    if (fault?.code !== 'bad-input') throw thrown;
    complain(fault.message);
    return undefined;
  }
}

/** @param prefix of the keys of a lease's records */
async function bringWanted(
  store: ResultsStore,
  prefix: string,
  directory: RunDirectory,
  wanted: ReadonlySet<string>,
): Promise<Brought> {
  const records: TrialRecord[] = [];
  const unusable = new Map<string, string>();
  for (const key of (await store.list(prefix)).sort()) {
    const trialId = key.slice(prefix.length, -'.json'.length);
    if (!wanted.has(trialId)) continue;
    const read = async (): Promise<TrialRecord | undefined> => {
      const content = await store.get(key, largestInputBytes);
      if (content === null) return undefined;
      const text = Buffer.from(content).toString('utf8');
      const result = documentOf(text, resultSchema, `${store.place}: ${key}`);
      return bringResult(store, directory, trialId, result);
    };
    const record = await unlessBad(read, (why) => unusable.set(trialId, why));
    if (record !== undefined) records.push(record);
  }
  return { records, unusable };
}

/** Brings one trial's files; returns its record. @throws H2h3Error `bad-input` for what is not of that trial, or lacks a file */
async function bringResult(
  store: ResultsStore,
  directory: RunDirectory,
  trialId: string,
  { record, artifacts }: z.infer<typeof resultSchema>,
): Promise<TrialRecord> {
  if (record.trialId !== trialId) throw damaged(`the record of ${trialId} is that of ${record.trialId}`);
  const folder = directory.trialDir(trialId, { fresh: true });
  try {
    for (const artifact of artifacts) await bringFile(store, folder, artifact);
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    const isWrongPath = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].some((code) =>
      hasErrno(thrown, code),
    );
    throw isWrongPath ? damaged(`the files of ${trialId} cannot lie in one folder`, thrown) : thrown;
  }
  return record;
}

/** What a host may be called, as far as a terminal is concerned. */
const hostForm = /^[^\p{Cc}]{1,253}$/u;

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
  const isWhole = content !== null && createHash('sha256').update(content).digest('hex') === sha256;
  if (!isWhole)
    throw new H2h3Error(
      'bad-input',
      `${store.place} ${content === null ? 'lacks' : 'has damaged'} the content of ${path}`,
      {
        context: { file: blobKey(sha256) },
        next: 'Nothing was removed.',
      },
    );
  const file = pathInside(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, content);
}
