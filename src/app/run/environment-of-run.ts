import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../core/system/machine.ts';
import type { Testbed } from '../../../harness/testbed/testbed.ts';
import type { Pinning } from '../../../harness/testbed/pinning.ts';
import type { ClientDescription, Environment, OtherMachineFacts } from '../../core/model/environment.ts';
import type { Remote } from '../../core/model/live-address.ts';
import { unmeasuredOf } from '../../analyse/comparison/overhead.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { machineClassOfRun } from '../../core/model/machine-class.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { digestFact } from '../../core/system/program-digest.ts';
import type { AppContext } from '../app-context.ts';
import type { WarmUp } from '../preflight/facts.ts';
import { gitRevision } from '../version.ts';
import { aaOfHost } from './aa-of-host.ts';
import { appRunWarnings } from './app-warnings.ts';
import { faultWarnings } from './injected-faults.ts';
import type { RunResources } from './open-resources.ts';
import { checkSameEnvironment } from './same-environment.ts';
import { insecureWarnings } from './scout-live-pages.ts';
import type { PendingRun } from './pending-run.ts';

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface EnvironmentInput {
  readonly projectDir: string;
  readonly startedAt: string;
  readonly host: string;
  readonly clients: readonly ClientDescription[];
  readonly testbeds: readonly Testbed[];
  readonly pinning: Pinning;
  readonly otherMachine: OtherMachineFacts;
  readonly remotes: readonly Remote[];
  readonly ffmpeg: string | null;
  /** As `noiseOfMachine` found them. */
  readonly disturbances: readonly string[];
  readonly warnings: readonly string[];
}

interface RecordedFacts extends Pick<EnvironmentInput, 'disturbances' | 'warnings'> {
  readonly work: PendingRun;
  readonly warmUps: readonly WarmUp[];
  /** Where digests of programs are kept. */
  readonly cacheDir: string;
}

/**
 * Writes down what the run measures with, as a reader needs it to run it again.
 *
 * @throws H2h3Error where this host measures otherwise than the run began, or finds a difference between an arm and itself
 */
export async function recordEnvironment(
  resources: RunResources,
  { work, warmUps, cacheDir, disturbances, warnings }: RecordedFacts,
  context: AppContext,
): Promise<Environment> {
  const { directory, host, startedAt, ffmpeg } = work;
  const { plan } = directory;
  const earlier = directory.environment();
  const aa = await aaOfHost(resources, earlier, work, context);
  const gathered = await gatherEnvironment({
    projectDir: context.projectDir,
    startedAt,
    host,
    clients: await clientDescriptions(work, warmUps, plan.hosts?.client === undefined ? cacheDir : null),
    testbeds: resources.testbeds.all(),
    pinning: resources.pinning,
    otherMachine: resources.otherMachine,
    remotes: [...resources.prepared.values()].flatMap(({ live }) => live?.remote ?? []),
    ffmpeg,
    disturbances,
    warnings: [...warnings, ...insecureWarnings(plan), ...appRunWarnings(plan), ...faultWarnings(plan)],
  });
  const known = { ...gathered, ...aa, ...overheadOnThisMachine(gathered) };
  const unmeasured = unmeasuredOf(plan, known);
  unmeasured.forEach((line) => context.progress.say(`warning: ${line}`));
  const environment = { ...known, warnings: [...known.warnings, ...unmeasured] };
  if (earlier) checkSameEnvironment(earlier, environment, resources.testbeds.failures());
  else directory.writeEnvironment(environment);
  return environment;
}

/** What `calibrate --recording` measured on machines of this class, kept with the run so that it suffices for itself. */
function overheadOnThisMachine(environment: Environment): Pick<Environment, 'instrumentationOverhead'> {
  const { instrumentationOverhead = [] } = loadCalibration('results', machineClassOfRun(environment)) ?? {};
  return instrumentationOverhead.length === 0 ? {} : { instrumentationOverhead };
}

/**
 * What each client is, with the digest of its program as it is when the run begins.
 *
 * @param cacheDir null where clients are on another machine, which has told their digests
 */
async function clientDescriptions(
  { clients, headed }: Pick<PendingRun, 'clients' | 'headed'>,
  warmUps: readonly WarmUp[],
  cacheDir: string | null,
): Promise<ClientDescription[]> {
  const versions = new Map(
    warmUps.flatMap(({ trial, version }) => (version === null ? [] : [[trial.client, version]])),
  );
  const usable = [...clients.entries()].flatMap(([name, client]) =>
    client instanceof H2h3Error ? [] : [[name, client] as const],
  );
  return Promise.all(
    usable.map(async ([name, client]) => ({
      ...client,
      ...(cacheDir === null ? {} : await digestFact(client.executablePath, cacheDir)),
      id: name,
      version: versions.get(name) ?? client.version,
      headed,
    })),
  );
}

/** Everything a reader needs to run it again, gathered when the first trial is about to start. */
async function gatherEnvironment(input: EnvironmentInput): Promise<Environment> {
  const own = JSON.parse(readFileSync(join(input.projectDir, 'package.json'), 'utf8')) as PackageFile;
  const machine = await describeMachine();
  const senders = input.testbeds.flatMap(({ proxies, server }) => [server, ...proxies]);
  // One server may run with several algorithms in a run, so its name alone does not tell it.
  const servers = new Map(senders.map(({ description }) => [JSON.stringify(description), description]));
  const serverWarnings = senders.flatMap((sender) =>
    sender.warnings.map((warning) => `${sender.description.name}: ${warning}`),
  );
  return {
    schemaVersion: 1,
    startedAt: input.startedAt,
    host: input.host,
    machine,
    ...input.otherMachine,
    node: process.versions.node,
    h2h3: { version: own.version, gitRevision: gitRevision(input.projectDir) },
    packages: own.dependencies,
    ffmpeg: input.ffmpeg,
    clients: [...input.clients],
    servers: [...servers.values()],
    networks: [
      ...new Map(input.testbeds.map(({ network }) => [network.description.id, network.description])).values(),
    ],
    pinning: input.pinning,
    ...(input.remotes.length > 0 ? { remotes: [...input.remotes] } : {}),
    disturbances: [...input.disturbances],
    warnings: [...new Set([...input.warnings, ...serverWarnings])],
  };
}
