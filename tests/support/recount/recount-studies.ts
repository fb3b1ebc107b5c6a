import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { planFromRequest, readPlanRequest } from '../../../src/app/plan/plan-request.ts';
import { metricDefinition } from '../../../src/core/metrics/registry.ts';
import { projectDir } from '../source-graph.ts';
import { hasMetric, recount, textAt, type Kept, type Recounted } from './recount-claim.ts';
import { comparedBy, type Cell, type Claim } from './recount-places.ts';

/** The numbers of docs/studies.md, README and page, counted a second time from the kept files and the plan files. */
export interface Recount {
  readonly all: number;
  readonly direction: number;
  readonly size: number;
  readonly sizeOf: number;
  readonly held: number;
  readonly heldOf: number;
  readonly part: number;
  readonly pooled: number;
  readonly oneClient: number;
  readonly opposite: number;
  readonly open: number;
  readonly absent: number;
  readonly afterTheFact: number;
  readonly notMeasured: number;
}

/** Names that files of before November 29 have for what is called otherwise now. */
const former: readonly (readonly [RegExp, string])[] = [
  [/"watch":"bare"/g, '"instrumentation":"uninstrumented"'],
  [/"watch":"evidence"/g, '"instrumentation":"instrumented"'],
  [/"watching":\[/g, '"instrumentationOverhead":['],
  [/\+rivals=/g, '+competingflows='],
  [/\+handover=/g, '+migration='],
  [/\+beside=/g, '+crosstraffic='],
];

function keptOf(preset: string): Kept[] {
  const folder = join(projectDir, 'reports', 'studies');
  const files = [...globSync(`earlier/${preset}-2*.json`, { cwd: folder }).toSorted(), `${preset}.json`];
  return files
    .map((file) => join(folder, file))
    .filter((file) => existsSync(file))
    .map((file) => {
      const text = former.reduce(
        (now, [name, today]) => now.replaceAll(name, today),
        readFileSync(file, 'utf8'),
      );
      return JSON.parse(text) as Kept;
    });
}

/** The run that is shown, and all that count with it: whole, of its scale, and with at most one trial in twenty lost. */
function campaignsOf(preset: string): Kept[] {
  const runs = keptOf(preset).filter(({ claims }) => claims !== undefined);
  const counts = ({ trialsDone, trialsPlanned, trialsOk }: Kept): number =>
    (trialsDone === trialsPlanned ? 2 : 0) + (trialsDone - trialsOk <= 0.05 * trialsDone ? 1 : 0);
  const sorted = runs.toSorted(
    (a, b) => counts(a) - counts(b) || (a.startedAt ?? '').localeCompare(b.startedAt ?? ''),
  );
  const shown = sorted.at(-1);
  if (shown === undefined) return [];
  return [...sorted.slice(0, -1).filter((run) => counts(run) === 3 && run.scale === shown.scale), shown];
}

const frozenFields = [
  ['against', 'atMost', 'clients', 'compare', 'expects', 'instead', 'metric', 'networks', 'pool'],
  ['requires', 'servers', 'size', 'than', 'workloads'],
].flat();

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, ordered(each)]),
  );
}

function digestOf(claim: Claim): string {
  const { margin, form, higherIsBetter } = metricDefinition(claim.metric) ?? {};
  const frozen = Object.entries(claim).filter(([name]) => frozenFields.includes(name));
  const text = JSON.stringify(ordered({ ...Object.fromEntries(frozen), margin, form, higherIsBetter }));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Cells of a plan without values: what a scale would compare. */
function plannedCells(
  preset: string,
  scale: 'quick' | 'standard' | 'paper',
): { cells: Cell[]; arms: string[] } {
  const { plan } = planFromRequest(readPlanRequest(preset, { scale }), '');
  const arms = plan.arms.map(({ label }) => label);
  const kindOf = new Map(plan.workloads.map(({ id, kind }) => [id, kind]));
  const kinds = new Set(plan.trials.map(({ instrumentation }) => instrumentation));
  const cells = plan.conditions.flatMap((condition) =>
    [...kinds].flatMap((instrumentation) =>
      arms.map((arm): Cell => ({
        ...condition,
        client: condition.client === 'best' ? 'chromium' : condition.client,
        kind: kindOf.get(condition.workload) ?? '',
        arm,
        instrumentation,
        blocks: [],
        metrics: {},
      })),
    ),
  );
  return { cells, arms };
}

function mostPlaces(preset: string, claim: Claim): number {
  const scales = ['quick', 'standard', 'paper'] as const;
  return Math.max(
    ...scales.map((scale) =>
      textAt(claim.instead, scale) === undefined
        ? comparedBy(claim, { ...plannedCells(preset, scale), isOf: hasMetric }).length
        : 0,
    ),
  );
}

function oneClientOnly(claim: Claim, { compared }: Recounted): boolean {
  const clients = compared.flatMap(({ sides }) =>
    sides.slice(0, 2).flatMap(({ cells }) => cells.map(({ client }) => client.replace(/@.*/, ''))),
  );
  return claim.overClients === true && new Set(clients).size === 1;
}

type Standing = Exclude<keyof Recount, 'all' | 'size' | 'sizeOf' | 'held' | 'heldOf'>;

/** Where a claim counts. */
function standingOf(
  preset: string,
  claim: Claim,
  shown: Kept | undefined,
): { standing: Standing; own?: Recounted } {
  if (shown === undefined) return { standing: 'notMeasured' };
  const own = recount(claim, shown);
  const { outcome } = own;
  if (outcome === 'not measured') return { standing: 'notMeasured', own };
  if (shown.claims?.includes(digestOf(claim)) !== true) return { standing: 'afterTheFact', own };
  if (outcome === 'absent') return { standing: 'absent', own };
  if (outcome === 'other') return { standing: 'opposite', own };
  if (outcome !== 'same') return { standing: 'open', own };
  if (own.compared.length < mostPlaces(preset, claim)) return { standing: 'part', own };
  if (claim.pool === true) return { standing: 'pooled', own };
  return { standing: oneClientOnly(claim, own) ? 'oneClient' : 'direction', own };
}

/** All claims of some studies' plan files. @param wanted such as `zhang2024` */
export function recountStudies(wanted: readonly string[]): Recount {
  const counts: Record<keyof Recount, number> = {
    all: 0,
    direction: 0,
    size: 0,
    sizeOf: 0,
    held: 0,
    heldOf: 0,
    part: 0,
    pooled: 0,
    oneClient: 0,
    opposite: 0,
    open: 0,
    absent: 0,
    afterTheFact: 0,
    notMeasured: 0,
  };
  const folder = join(projectDir, 'src', 'app', 'presets');
  for (const file of wanted.flatMap((study) => globSync(`${study}-*.yaml`, { cwd: folder }))) {
    const preset = file.replace('.yaml', '');
    const { published } = parse(readFileSync(join(folder, file), 'utf8')) as { published: readonly Claim[] };
    const campaigns = campaignsOf(preset);
    for (const claim of published.filter(
      ({ expects, countedIn }) => expects !== undefined && countedIn === undefined,
    )) {
      const { standing, own } = standingOf(preset, claim, campaigns.at(-1));
      counts.all++;
      counts[standing]++;
      if (standing !== 'direction' || own === undefined) continue;
      if (own.sizeAgrees !== null) counts.sizeOf++;
      if (own.sizeAgrees === true) counts.size++;
      const said = campaigns
        .filter(({ claims }) => claims?.includes(digestOf(claim)) === true)
        .map((run) => recount(claim, run).outcome)
        .filter((outcome) => outcome !== 'not measured');
      if (said.length > 1) counts.heldOf++;
      if (said.length > 1 && said.every((outcome) => outcome === 'same')) counts.held++;
    }
  }
  return counts;
}
