import { z } from 'zod';
import { factorNames, factors, type FactorName } from '../core/factors/registry.ts';
import { H2h3Error } from '../core/model/errors.ts';
import { metricDefinition, metricNames } from '../core/metrics/registry.ts';
import { parseBudget } from '../core/metrics/budget.ts';
import { appOptionsSchema } from '../core/model/app-under-test.ts';
import { audienceSchema } from '../core/model/audience.ts';
import { liveOptionsSchema } from '../core/model/live-address.ts';
import { halfDuplexLack, networkSpecSchema } from '../core/model/network-spec.ts';
import { armProtocolSchema } from '../core/model/protocol.ts';
import { hostsSchema } from '../core/model/plan.ts';
import { publishedFigureSchema } from '../core/model/published.ts';
import { questionSchema } from '../core/model/question.ts';
import { scaleSchema } from '../core/model/scale.ts';
import { experimentSchema } from '../core/model/studies.ts';
import { instrumentedBlocksSchema } from '../core/model/instrumentation.ts';
import { viewSchema, workloadKindSchema } from '../core/model/workload.ts';
import { parseArms } from './arms.ts';
import { didYouMean } from '../core/model/nearest-name.ts';

export { scaleNames, type ScaleName } from '../core/model/scale.ts';

const names = z.array(z.string().min(1)).min(1);
/** More arms than anybody reads a table of; each is compared with each before anything starts. */
const maxArms = 200;
/** What `parse` says of a text that is none, at the place where it stands. */
function complainOf(issues: z.RefinementCtx, parse: () => unknown): void {
  try {
    parse();
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    issues.addIssue({ code: 'custom', message: [thrown.message, thrown.next].filter(Boolean).join('. ') });
  }
}

/** The text of a factor's value; YAML makes a number of `1.2`. */
const factorText = z.union([z.string(), z.number()]).transform(String);

/** An arm as an object of factors, with a label if wanted. */
const armObject = z.strictObject({
  ...(Object.fromEntries(factorNames.map((name) => [name, factorText.optional()])) as Record<
    FactorName,
    z.ZodOptional<typeof factorText>
  >),
  protocol: armProtocolSchema.optional(),
  label: z.string().min(1).optional(),
});

/** What `parseArms` says of an arm that is none, at the place where it stands. */
const armInput = z
  .union([z.string(), armObject])
  .superRefine((arm, issues) => complainOf(issues, () => parseArms([arm])));

/** A network of a plan file: its name is its key, title and source may be left out. */
const customNetworkSchema = z
  .strictObject({
    title: z.string().optional(),
    source: z.string().optional(),
    offloads: z.boolean().optional(),
    duplex: networkSpecSchema.shape.duplex,
    up: networkSpecSchema.shape.up,
    down: networkSpecSchema.shape.down,
  })
  .superRefine((network, issues) => {
    const lack = halfDuplexLack(network);
    if (lack !== undefined) issues.addIssue({ code: 'custom', path: ['duplex'], message: lack });
  });
export type CustomNetwork = z.infer<typeof customNetworkSchema>;

/** What has no list or flag of its own in a plan. */
const settableNames = factors.flatMap(({ id, ownField }) => (ownField === undefined ? [id] : []));

/** Each value with every other; every direction has the rate, half the round trip and the loss. */
const gridInputSchema = z.strictObject({
  rateMbps: z.array(z.number().positive().max(10_000)).min(1),
  rttMs: z.array(z.number().min(0).max(10_000)).min(1).default([36]),
  lossPercent: z.array(z.number().min(0).max(100)).min(1).default([0]),
  /** Sizes of an object, such as 10kb, 1mb. */
  size: z
    .array(z.string().regex(/^\d+(kb|mb|gb)$/, 'a size such as 10kb, 1mb, 1gb'))
    .min(1)
    .default(['1mb']),
  /** Objects that are loaded at the same time. */
  count: z.array(z.number().int().min(1).max(1000)).min(1).default([1]),
});
export type GridInput = z.infer<typeof gridInputSchema>;

/**
 * A plan as people write it (YAML or JSON). Presets have the same form. Everything but `workloads`
 * or `urls` has a default; command-line flags override what the file says.
 */
export const planFileSchema = z
  .strictObject({
    /** Where editors find the schema of this file (`h2h3 describe schema`); nothing else reads it. */
    $schema: z.string().optional(),
    name: z
      .string()
      .regex(/^[\w.-]+$/, 'a name of letters, digits, dot, dash, underscore')
      .default('custom'),
    title: z.string().optional(),
    /** The scale of a study that it is; a file with `scales` says it of each by itself. */
    scale: scaleSchema.optional(),
    workloads: z.array(z.string().min(1)).default([]),
    /** Sites as `--sites` takes them: names, groups, files of shapes, folders of recorded sites. */
    sites: z.array(z.string().min(1)).default([]),
    /** Views of the pages: `cold` (a fresh profile, the default), `repeat` (the second visit in one profile), or both. */
    views: z.array(viewSchema).min(1).optional(),
    /** What pages are shown on, by name (`Pixel 5`); absent: a desktop, and recorded sites what they were recorded on. */
    device: z.string().optional(),
    /** A module that drives the pages, step by step: a journey from each of them. */
    script: z.string().min(1).optional(),
    /** Whether the pages are loaded without the script as well, which shows what driving costs. */
    pagesWithoutScript: z.boolean().default(false),
    /** How recorded sites are replayed. */
    replay: z
      .strictObject({
        thinkTime: z.boolean().optional(),
        deterministic: z.boolean().optional(),
        missShare: z.number().min(0).max(1).optional(),
        inexactShare: z.number().min(0).max(1).optional(),
        essentialMisses: z.number().int().min(0).optional(),
      })
      .default({}),
    /** Live addresses, each a page workload. */
    urls: z.array(z.url({ protocol: /^https$/ })).default([]),
    /** An app over plain HTTP, before which servers of ours stand. */
    app: appOptionsSchema.optional(),
    /** What holds for all live addresses, and for the app. */
    live: liveOptionsSchema.default({}),
    /** `best` is the best Chromium-family browser found. */
    clients: names.default(['best']),
    networks: names.default(['loopback']),
    /** Who the users are: a file of segments or of page views, whose conditions take the place of `networks`. */
    audience: z.union([z.string().min(1), audienceSchema]).optional(),
    servers: names.default(['caddy']),
    /** Other machines: `server` is where servers start, as ssh is told of it (docs/two-machines.md). Absent: on this one. */
    hosts: hostsSchema.optional(),
    /** `h2`, `client:h3`, `h3+server=nginx`, or an object of factors; the first is the baseline, the second the candidate. */
    arms: z.array(armInput).min(1).max(maxArms).default(['h2', 'h3']),
    /** Factors that every arm has which does not set them itself, such as `{ cpu: 25% }`. */
    set: z.partialRecord(z.enum(settableNames), factorText).default({}),
    repetitions: z.number().int().min(1).max(10_000).default(8),
    /**
     * Blocks that are recorded, on top of `repetitions`: a number, or `all` for timed and recorded trials in each block. Times
     * are judged from timed blocks alone. Default: 2, of fewer blocks as many as there are.
     */
    recordedBlocks: instrumentedBlocksSchema.optional(),
    /** Blocks after which the run is judged and may end; the last takes the place of `repetitions`. */
    interims: z.array(z.number().int().min(4).max(10_000)).min(1).optional(),
    /** A plan of more trials than this is refused before it is expanded. */
    maxTrials: z.number().int().positive().default(100_000),
    /** Judge while running and stop when all primary comparisons are decided; `repetitions` is then the most. */
    sequential: z.boolean().default(false),
    /** Begin no block that would end after so many minutes, unless --budget says otherwise. */
    budgetMinutes: z.number().positive().optional(),
    /** Pairs of arms to compare, by label, baseline first; all of them primary. Default: by the arms. */
    compare: z
      .array(z.tuple([z.string().min(1), z.string().min(1)]))
      .min(1)
      .optional(),
    seed: z.number().int().min(0).max(0xffffffff).default(1),
    primary: z.partialRecord(workloadKindSchema, z.string()).default({}),
    pooled: z.partialRecord(workloadKindSchema, z.boolean()).default({}),
    margins: z.record(z.string(), z.number().positive()).default({}),
    /** Absolute limits that every arm must keep, such as `lcp<2500ms` or `throughput>20mbit/s`. */
    budgets: z
      .array(z.string().superRefine((text, issues) => complainOf(issues, () => parseBudget(text))))
      .min(1)
      .optional(),
    /** By name; empty: the usual ones. */
    probes: names.or(z.array(z.string()).length(0)).default([]),
    exploratory: z.boolean().default(false),
    /** Networks by name that this plan defines; they can be named under `networks` and by --network. */
    customNetworks: z.record(z.string(), customNetworkSchema).default({}),
    /** Let TCP and QUIC run unlike congestion control on impaired networks. */
    allowCongestionMismatch: z.boolean().default(false),
    /** Begin at once, in exploratory plans: check paths quickly, and load nothing to be discarded. */
    quickStart: z.boolean().default(false),
    /** Faults put upon arms on purpose, such as `candidate:delay=+20%`, to see whether they are found. */
    inject: z.array(z.string().min(1)).default([]),
    /** What studies published of what this plan runs; the report prints it next to the run's own figures. */
    published: z.array(publishedFigureSchema).default([]),
    /** Crosses networks and downloads; takes the place of `networks` and `workloads`. Always exploratory. */
    grid: gridInputSchema.optional(),
  })
  .refine(
    (plan) =>
      plan.workloads.length + plan.urls.length + plan.sites.length > 0 ||
      plan.app !== undefined ||
      plan.grid !== undefined ||
      parseArms(plan.arms).some(({ factors }) => factors.url !== undefined),
    {
      message: 'a plan needs an app, or at least one entry under workloads, sites or urls',
      path: ['workloads'],
    },
  )
  .refine((plan) => plan.exploratory || !plan.quickStart, {
    message: 'a quick start is for exploratory plans: nothing was loaded before its first trials',
    path: ['quickStart'],
  })
  .superRefine(({ primary, margins }, issues) => {
    const complain = (path: string[], message: string): void =>
      issues.addIssue({ code: 'custom', path, message });
    for (const [kind, metric] of Object.entries(primary)) {
      if (metricDefinition(metric)?.kinds.some((metricKind) => metricKind === kind) !== true)
        complain(
          ['primary', kind],
          `no metric of a ${kind}; ${didYouMean(metric, metricNames, listsMetrics)}`,
        );
    }
    for (const metric of Object.keys(margins)) {
      if (metricDefinition(metric) === undefined)
        complain(['margins', metric], `no such metric; ${didYouMean(metric, metricNames, listsMetrics)}`);
    }
  })
  .refine(({ interims = [] }) => interims.every((blocks, index) => blocks > (interims[index - 1] ?? 0)), {
    message: 'interims must ascend, such as [12, 16, 20]',
    path: ['interims'],
  });

const anyFields = z.record(z.string(), z.unknown());

/** What a plan file may say besides its plan. */
export const planDocumentParts = z.object({
  /** The experiment of a study that the plan repeats. */
  experiment: experimentSchema.omit({ preset: true }).strict().optional(),
  /** A question that was asked in public, which the plan answers; its claims are added to `published`. */
  question: questionSchema.optional(),
  /** Plans of three sizes: what each says besides what is common to them. `--scale` chooses one. */
  scales: z.strictObject({ quick: anyFields, standard: anyFields, paper: anyFields }).optional(),
});

const listsMetrics = '`npx h2h3 describe metrics` lists them';

/** The arms with what the plan sets for all of them. One without a label of its own is named by all that it has. */
export function withSetFactors(file: PlanFile): PlanFile {
  if (Object.keys(file.set).length === 0) return file;
  const arms = parseArms(file.arms).map(({ factors }, index) => {
    const given = file.arms[index];
    const label = typeof given === 'object' ? given.label : undefined;
    return { ...file.set, ...factors, ...(label === undefined ? {} : { label }) };
  });
  return { ...file, arms };
}

export type PlanFile = z.infer<typeof planFileSchema>;
/** What a preset or a command line gives: any part of a plan file. */
export type PlanFileInput = z.input<typeof planFileSchema>;

/** When a run of it begins no further block, unless the command line says another time; undefined for no such limit. */
export function budgetMsOf({ budgetMinutes }: Pick<PlanFile, 'budgetMinutes'>): number | undefined {
  return budgetMinutes === undefined ? undefined : budgetMinutes * 60_000;
}

/** JSON Schema of plan files, by which editors complete and check them. */
export function planFileJsonSchema(): Readonly<Record<string, unknown>> {
  const plan = z.toJSONSchema(planFileSchema, { io: 'input', unrepresentable: 'any' });
  const parts = z.toJSONSchema(planDocumentParts, { io: 'input' });
  return { ...plan, properties: { ...plan.properties, ...parts.properties }, title: 'A plan of h2h3' };
}
