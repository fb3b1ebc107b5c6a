import os from 'node:os';
import { join } from 'node:path';
import { benchHarness, benchParts, type BenchPart } from '../../../harness/bench/bench-harness.ts';
import type { BenchRow } from '../../../harness/bench/bench-row.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { choosePinning, pinningContext } from '../../../harness/testbed/pinning.ts';
import { openRunScope } from '../../system/processes/run-scope.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { openCertificateStore } from '../../../harness/tools/certificates.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { DoneMessage } from '../../../harness/trial/worker-process.ts';
import { deriveTrial } from '../../analyse/derive/derive-trial.ts';
import { H2h3Error } from '../../model/errors.ts';
import { readFrames, readHar } from '../../store/evidence.ts';
import { choosePort } from '../../system/free-port.ts';
import { prepareContextOf } from '../../app/run/prepare-run.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import { writeReplayPages } from '../../app/bench/replay-bench-page.ts';
import { writeReplaySite } from '../../app/bench/replay-bench-site.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface Flags {
  readonly client?: string;
  readonly repetitions: string;
  readonly only?: string;
  readonly json?: boolean;
}

const examples = `
Examples:
  h2h3 bench-harness                                  every browser found, about twenty minutes
  h2h3 bench-harness --client embedded --repetitions 5
  h2h3 bench-harness --only path --repetitions 3      the emulated path alone, two minutes
  h2h3 bench-harness --only replay --repetitions 3    the origin of recorded sites beside plain files`;

export const addBenchHarnessCommand: AddCommand = (program, context) => {
  program
    .command('bench-harness')
    .description(
      "measure the instrument itself: a trial's overhead, each probe's cost, the server's headroom, the emulated path",
    )
    .option('--client <list>', 'browsers by name (default: every one found, and the embedded one)')
    .option('--repetitions <n>', 'measurements of each', '10')
    .option('--only <part>', `one part of it: ${benchParts.join(' or ')}`)
    .option('--json', 'print the rows as JSON')
    .addHelpText('after', examples)
    .action(async (flags: Flags) => {
      const rows = await bench(flags, context);
      context.progress.clear();
      context.print(flags.json === true ? JSON.stringify({ rows }, null, 1) : asTable(rows));
    });
};

async function clientNames(flags: Flags, setup: SetupContext): Promise<string[]> {
  if (flags.client !== undefined) return flags.client.split(',');
  return (await listClients(setup)).filter(({ found }) => found !== null).map(({ id }) => id);
}

function partsOf({ only }: Flags): readonly BenchPart[] {
  const parts = benchParts.filter((part) => only === undefined || part === only);
  if (parts.length > 0) return parts;
  throw new H2h3Error('usage', `--only wants ${benchParts.join(' or ')}, got "${only}"`);
}

async function bench(flags: Flags, context: AppContext): Promise<BenchRow[]> {
  const repetitions = Number(flags.repetitions);
  if (!Number.isInteger(repetitions) || repetitions < 1) {
    throw new H2h3Error(
      'usage',
      `--repetitions wants a whole number of at least 1, got "${flags.repetitions}"`,
    );
  }
  const parts = partsOf(flags);
  const setup = await setupContextOf(context);
  const names = parts.some((part) => part !== 'path') ? await clientNames(flags, setup) : [];
  const clients = await Promise.all(names.map((name) => resolveClient(name, setup)));
  const [serverProvider] = serverProviders(setup);
  if (!serverProvider) throw new H2h3Error('internal', 'no server is registered');
  const port = await choosePort(undefined);
  const scope = await openRunScope();
  try {
    return await benchHarness({
      replaySite: await writeReplaySite(join(scope.tempDir, 'replay'), setup.signal),
      replayPages: () => writeReplayPages(join(scope.tempDir, 'replay-pages'), prepareContextOf(setup, port)),
      ...{ clients, serverProvider, setup, port, repetitions, parts },
      ...{ tempDir: scope.tempDir, environment: scope.environment, signal: context.signal },
      pinning: choosePinning(pinningContext(os.availableParallelism())),
      certificates: await openCertificateStore({ cache: setup.cache }),
      progress: (detail) => context.progress.show(detail),
      postProcess: deriveAsRunsDo,
    });
  } finally {
    await scope.reaper.finish();
  }
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

function figure(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function asTable(rows: readonly BenchRow[]): string {
  const cells = rows.map(({ group, subject, quantity, value, range, unit, repetitions, limit, ok, note }) => [
    ...[group, subject, quantity],
    value === null ? '–' : `${figure(value)} ${unit}`,
    range === null ? '' : `${figure(range[0])} to ${figure(range[1])}`,
    String(repetitions),
    ok === null || limit === null ? '' : `${ok ? 'within' : 'above'} ${figure(limit)} ${unit}`,
    note,
  ]);
  return formatTable([['what', 'of', 'quantity', 'median', 'range', 'n', 'limit', 'note'], ...cells]);
}
