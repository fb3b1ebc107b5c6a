import { sequentialBlocks } from '../../analyse/comparison/sequential-look.ts';
import { H2h3Error } from '../../model/errors.ts';
import { defaultPrimaries } from '../../model/metric-catalogue.ts';
import type { Plan } from '../../model/plan.ts';
import type { Workload } from '../../model/workload.ts';
import type { PlanFile } from '../../plan/plan-file.ts';
import { executeRun } from '../run/execute-run.ts';
import { ffmpegVersion, openNewRun } from '../run/open-run.ts';
import { requireClientName } from '../../../harness/clients/resolve-client.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { planFromRequest, readPlanRequest, type PlanFlags } from '../plan/plan-request.ts';
import { resolveClients } from '../run/prepare-run.ts';
import type { AppContext } from '../app-context.ts';

export interface GateRunOptions {
  /** Clients by name, such as `chromium@148`. */
  readonly baseline: string;
  readonly candidate: string;
  /** A preset or a plan file. */
  readonly source: string;
  readonly flags: PlanFlags;
  /** Workloads of own videos that the request may name. */
  readonly own: readonly Workload[];
  readonly protocols: readonly string[];
  /** Blocks of the looks; default: every second block from the first that can decide, to 20. */
  readonly looks: readonly number[] | undefined;
  /** Margin of every primary metric. */
  readonly margin: number | undefined;
  readonly margins: Readonly<Record<string, number>>;
  readonly budgetMs: number | undefined;
  readonly out: string | undefined;
  readonly port: number | undefined;
  /** Run even browsers of different builds. */
  readonly force: boolean;
  /** Looks at the plan before anything is made and gives warnings, or throws. */
  readonly checkPlan: (plan: Plan) => Promise<readonly string[]>;
}

/**
 * Both clients as they are here, `best` under its own name.
 *
 * @throws H2h3Error when one cannot be had, or when they are of different builds: builds differ more than releases do
 */
async function findBoth(
  options: GateRunOptions,
  setup: SetupContext,
): Promise<{ names: readonly [string, string]; warnings: string[] }> {
  // Before one of them is fetched for a gate that cannot be.
  for (const client of [options.baseline, options.candidate]) await requireClientName(client, setup);
  const both = await Promise.all(
    [options.baseline, options.candidate].map(async (client) => {
      const [entry] = await resolveClients([client], setup);
      if (entry === undefined) throw new H2h3Error('internal', `no client ${client}`);
      const [name, found] = entry;
      if (found instanceof H2h3Error) throw found;
      return { name, kind: `${found.family} (${found.build})` };
    }),
  );
  const [baseline, candidate] = both;
  if (baseline === undefined || candidate === undefined)
    throw new H2h3Error('internal', 'a gate needs two clients');
  const names = [baseline.name, candidate.name] as const;
  if (baseline.kind === candidate.kind) return { names, warnings: [] };
  const difference = `the baseline ${baseline.name} is a ${baseline.kind}, the candidate ${candidate.name} a ${candidate.kind}`;
  if (options.force) return { names, warnings: [`${difference}: builds differ more than releases do`] };
  throw new H2h3Error(
    'usage',
    `${difference}; builds differ more than releases do, so a gate would judge the build`,
    {
      next: 'Compare releases of one build (`npx h2h3 browsers list` names it), or say --force.',
    },
  );
}

/** Margins with that of `--margin` for every primary metric of the request. */
export function gateMargins(
  request: PlanFile,
  margin: number | undefined,
  own: readonly Workload[] = [],
): Record<string, number> {
  if (margin === undefined) return {};
  const kinds = planFromRequest(request, '', own).workloads.map(({ kind }) => kind);
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [request.primary[kind] ?? defaultPrimaries[kind].metric, margin]),
  );
}

/** The plan of a gate: both clients over the protocols in every block, looks, margins. */
function gateRequest(options: GateRunOptions, clients: readonly string[]): PlanFile {
  const arms = clients.flatMap((client) => options.protocols.map((protocol) => `${client}:${protocol}`));
  const read = readPlanRequest(options.source, options.flags, options.own);
  return {
    ...read,
    name: `gate-${read.name}`,
    arms,
    sequential: true,
    repetitions: options.looks?.at(-1) ?? sequentialBlocks,
    ...(options.looks === undefined ? {} : { looks: [...options.looks] }),
    margins: { ...read.margins, ...gateMargins(read, options.margin, options.own), ...options.margins },
  };
}

/** Runs baseline and candidate in the same blocks until the gate is decided, the blocks or the budget are used up. */
export async function runGate(
  options: GateRunOptions,
  setup: SetupContext,
  context: AppContext,
): Promise<RunDirectory> {
  const { names, warnings: unlike } = await findBoth(options, setup);
  const read = gateRequest(options, names);
  const checked = await options.checkPlan(planFromRequest(read, context.command, options.own).plan);
  const warnings = [...unlike, ...checked];
  const opened = await openNewRun(
    {
      source: options.source,
      read,
      own: options.own,
      namesNetwork: options.flags.network !== undefined,
      out: options.out,
    },
    setup,
    context,
  );
  const { directory } = opened;
  await executeRun(
    {
      ...opened,
      warnings: [...opened.warnings, ...warnings],
      setup,
      port: options.port,
      headed: false,
      ffmpeg: await ffmpegVersion(opened.workloads, setup),
      budgetMs: options.budgetMs,
    },
    context,
  );
  return directory;
}
