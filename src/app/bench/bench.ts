import os from 'node:os';
import { join } from 'node:path';
import { benchHarness, benchParts, type BenchPart } from '../../../harness/bench/bench-harness.ts';
import type { BenchRow } from '../../../harness/bench/bench-row.ts';
import type { Centre } from '../../../harness/bench/turned-rounds.ts';
import { webkitName } from '../../../harness/clients/browsers/webkit/find-webkit.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { choosePinning, pinningContext } from '../../../harness/testbed/pinning.ts';
import { probes } from '../../../harness/probes/registry.ts';
import { keepTo } from '../../core/system/processes/cpu-affinity.ts';
import { openRunScope } from '../../core/system/processes/run-scope.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { chanceScript } from '../../../sites/index.ts';
import { openCertificateStore } from '../../../harness/tools/certificates.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { DoneMessage } from '../../../harness/trial/worker-process.ts';
import { hodgesLehmann } from '../../analyse/statistics/hodges-lehmann.ts';
import { deriveTrial } from '../../analyse/derive/derive-trial.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { readFrames, readHar } from '../../store/evidence.ts';
import { choosePort } from '../../core/system/free-port.ts';
import { withFarHost } from '../machine/far-host.ts';
import { prepareContextOf } from '../run/prepare-run.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { writeReplayPages } from './replay-bench-page.ts';
import { writeReplaySite } from './replay-bench-site.ts';
import { replicaWork } from './replica-work.ts';
import { machineTime } from './machine-time.ts';
import { trialTime } from './trial-time.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';

export { benchParts } from '../../../harness/bench/bench-harness.ts';
export type { BenchRow } from '../../../harness/bench/bench-row.ts';

export interface BenchOptions {
  /** Browsers by name. Default: every one found, and the embedded one. */
  readonly clients?: readonly string[] | undefined;
  /** Measurements of each. Default: 10. */
  readonly repetitions?: number | undefined;
  /** One part of `benchParts`. Default: all but those that take long or are part of another. */
  readonly only?: string | undefined;
  /** Of the part `probes`: these alone, by name. Default: every one. */
  readonly probeIds?: readonly string[] | undefined;
  /** Of the part `machines`: the machine that has the server, or the browser. */
  readonly serverHost?: string | undefined;
  readonly clientHost?: string | undefined;
}

async function clientNames({ clients }: BenchOptions, setup: SetupContext): Promise<readonly string[]> {
  if (clients !== undefined) return clients;
  // WebKit speaks one of the two protocols that are measured side by side.
  return (await listClients(setup))
    .filter(({ id, found }) => found !== null && id !== webkitName)
    .map(({ id }) => id);
}

/** Measured by name alone: it takes long, or is a part of another. */
const onlyByName: readonly BenchPart[] = [
  'asked',
  'machines',
  'congestion',
  'headroom',
  'script',
  'instrumentation',
  'work',
];

const withoutBrowsers: readonly BenchPart[] = ['headroom', 'path', 'congestion'];

function partsOf({ only }: BenchOptions): readonly BenchPart[] {
  const parts = benchParts.filter((part) =>
    only === undefined ? !onlyByName.includes(part) : part === only,
  );
  if (parts.length > 0) return parts;
  throw new H2h3Error('usage', `--only wants ${benchParts.join(' or ')}, got "${only}"`, {
    next: didYouMean(only ?? '', benchParts),
  });
}

function requireProbes(names: readonly string[], parts: readonly BenchPart[]): void {
  if (names.length > 0 && !parts.includes('probes'))
    throw new H2h3Error('usage', '--probe names probes whose cost is measured', {
      next: 'Add --only probes.',
    });
  const known = probes.map(({ id }) => id);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new H2h3Error('usage', `There is no probe ${unknown}.`, {
    next: didYouMean(unknown, known, 'npx h2h3 describe probes lists them.'),
  });
}

function requireOneMachine({ serverHost, clientHost }: BenchOptions, parts: readonly BenchPart[]): void {
  const named = [serverHost, clientHost].filter((host) => host !== undefined).length;
  if (named === (parts.includes('machines') ? 1 : 0)) return;
  throw new H2h3Error(
    'usage',
    '--only machines measures what a second machine adds, and --server-host or --client-host names it',
    { next: 'Name one machine, such as --only machines --server-host lab@10.0.0.2.' },
  );
}

/** Measures the instrument itself: the time from trial to trial, a trial's overhead, each probe's cost, the server's headroom, the emulated path. */
export async function bench(options: BenchOptions, context: AppContext): Promise<BenchRow[]> {
  const { repetitions = 10 } = options;
  const parts = partsOf(options);
  const { probeIds } = options;
  requireProbes(probeIds ?? [], parts);
  requireOneMachine(options, parts);
  const setup = await setupContextOf(context);
  const names = parts.some((part) => !withoutBrowsers.includes(part))
    ? await clientNames(options, setup)
    : [];
  const clients = await Promise.all(names.map((name) => resolveClient(name, setup)));
  const [serverProvider] = serverProviders(setup);
  if (!serverProvider) throw new H2h3Error('internal', 'no server is registered');
  const port = await choosePort(undefined);
  const scope = await openRunScope((sentence) => context.progress.say(sentence));
  const pinning = choosePinning(pinningContext(os.availableParallelism()));
  const spread = keepTo(pinning.serverCpus, [process.pid, ...scope.reaper.pids()]);
  try {
    const shared = {
      serverProvider,
      setup,
      port,
      repetitions,
      tempDir: scope.tempDir,
      environment: scope.environment,
      signal: context.signal,
      pinning,
      certificates: await openCertificateStore({ cache: setup.cache }),
      progress: (detail: string) => context.progress.show(detail),
    };
    return await benchHarness({
      ...shared,
      clients,
      parts,
      probeIds,
      replaySite: await writeReplaySite(join(scope.tempDir, 'replay'), setup.signal),
      replayPages: () => writeReplayPages(join(scope.tempDir, 'replay-pages'), prepareContextOf(setup, port)),
      trialTime: (those) => trialTime(shared, those),
      machineTime: (those) => {
        const { serverHost, clientHost = '' } = options;
        return serverHost === undefined
          ? withFarHost(clientHost, setup, (host) => machineTime(shared, those, host, 'browser'), {
              startsClients: true,
            })
          : withFarHost(serverHost, setup, (host) => machineTime(shared, those, host, 'server'), { port });
      },
      settlingScript: chanceScript(Date.now()),
      replicaWork: (those) => replicaWork(shared, those),
      postProcess: deriveAsRunsDo,
      centreOf: locationOf,
    });
  } finally {
    spread();
    await scope.reaper.finish();
  }
}

/** As verdicts estimate what lies between arms. */
function locationOf(differences: readonly number[], level: number): ReturnType<Centre> {
  const { estimate, intervals } = hodgesLehmann(differences, [level]);
  const [interval] = intervals;
  return estimate === null || !interval ? null : { estimate, interval };
}

/** What a run does between two trials: read the evidence back, derive metrics, Speed Index included. */
async function deriveAsRunsDo(done: DoneMessage, trialDir: string): Promise<void> {
  await deriveTrial({
    protocol: 'auto',
    workload: {
      id: 'bench',
      kind: 'page',
      driver: 'load',
      entry: { url: 'https://bench.invalid/' },
      loggedHosts: [],
    },
    raw: { ...done.raw, serverLog: null },
    har: readHar(trialDir),
    frameImages: readFrames(trialDir, done.raw.frames),
  });
}
