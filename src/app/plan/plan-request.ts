import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { usualProbes } from '../../../harness/probes/selection.ts';
import { customSite, deviceNamed, pageOfJourney, selectSites, urlWorkload } from '../../../sites/index.ts';
import { plannedLooks } from '../../analyse/decidability.ts';
import { sequentialBlocks } from '../../analyse/comparison/sequential-look.ts';
import { defaultPrimaries } from '../../model/metric-catalogue.ts';
import { H2h3Error } from '../../model/errors.ts';
import { didYouMean, similarNames } from '../../model/nearest-name.ts';
import type { LiveOptions } from '../../model/live-address.ts';
import type { Arm, Plan } from '../../model/plan.ts';
import { viewSchema, type ReplayOptions, type View, type Workload } from '../../model/workload.ts';
import { parseArms } from '../../plan/arms.ts';
import { expandPlan } from '../../plan/expand-plan.ts';
import { withGrid } from '../../plan/expand-grid.ts';
import { parsePlanFile } from '../../plan/parse-plan-file.ts';
import { requireModestGrid } from '../../plan/plan-size.ts';
import { planFileSchema, withSetFactors, type PlanFile, type PlanFileInput } from '../../plan/plan-file.ts';
import { experiments } from '../../plan/presets/experiments.ts';
import { scaleNames, type Preset, type ScaleName } from '../../plan/presets/preset.ts';
import { presets } from '../../plan/presets/registry.ts';
import { readInput } from '../../system/read-input.ts';
import { requireKnownProbes, unknownNames } from './known-names.ts';
import { addressOfEachArm, addressesOfArms, withAddresses, workloadByArm } from './arm-addresses.ts';
import {
  liveOptionsOf,
  realPathOf,
  refuseOwnServer,
  requireLiveAddress,
  type LiveFlags,
} from './live-flags.ts';
import { readScript, scriptAsPlanned } from './journey-script.ts';
import { drivenBy, inViews, shownOn } from './shown-pages.ts';
import { findWorkload, workloadCatalogue } from './workload-catalogue.ts';

/** Flags that override what a preset or a plan file says; all as typed. */
export interface PlanFlags extends LiveFlags {
  readonly repetitions?: string;
  readonly scale?: string;
  readonly arms?: string;
  /** Written arms with commas in them. */
  readonly arm?: readonly string[];
  readonly workload?: string;
  readonly sites?: string;
  readonly view?: string;
  readonly device?: string;
  readonly script?: string;
  readonly client?: string;
  readonly network?: string;
  readonly probe?: readonly string[];
  /** `NAME=VALUE` each. */
  readonly set?: readonly string[];
  /** Limits of metrics. */
  readonly budgets?: readonly string[];
  readonly seed?: string;
  readonly inject?: readonly string[];
  readonly thinkTime?: boolean;
  readonly deterministic?: boolean;
  readonly misses?: string;
  readonly exploratory?: boolean;
  readonly sequential?: boolean;
  readonly allowCongestionMismatch?: boolean;
  readonly maxTrials?: string;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) {
    throw new H2h3Error('usage', `--${flag} wants a whole number of at least ${least}, got "${text}"`);
  }
  return value;
}

function readSource(
  source: string | undefined,
  scale: string | undefined,
  catalogue: ReadonlyMap<string, Workload>,
): PlanFileInput {
  requireRunnable(source);
  const preset = presets.find(({ id }) => id === source);
  if (scale !== undefined) return planAtScale(preset, scale);
  if (source === undefined) return {};
  if (preset) return { ...preset.plan, name: preset.id };
  if (existsSync(source)) {
    if (!statSync(source).isFile())
      throw new H2h3Error('usage', `${source} is no regular file, so no plan file`, {
        next: 'To go on with a run: `npx h2h3 run --resume DIR`.',
      });
    const text = readInput(source, { what: 'a plan file' }).toString('utf8');
    return parsePlanFile(text, source, (input) => unknownNames(input, catalogue));
  }
  const looksLikeFile = /[./\\]/.test(source);
  const names = presets.map(({ id }) => id);
  throw new H2h3Error(
    'usage',
    looksLikeFile ? `no such plan file: ${source}` : `unknown preset "${source}"`,
    {
      context: {
        expected: `a preset (${similarNames(source, names).join(', ')}, …) or the path of a plan file`,
        got: source,
      },
      next: didYouMean(source, names, '`npx h2h3 describe presets` lists the presets.'),
    },
  );
}

/** @throws H2h3Error `usage` for a name that is no scale */
export function scaleNamed(scale: string): ScaleName {
  const name = scaleNames.find((one) => one === scale);
  if (name !== undefined) return name;
  throw new H2h3Error('usage', `unknown scale "${scale}"`, {
    context: { expected: scaleNames.join(', '), got: scale },
    next: didYouMean(scale, scaleNames),
  });
}

function planAtScale(preset: Preset | undefined, scale: string): PlanFileInput {
  const name = scaleNamed(scale);
  if (preset?.scales !== undefined) return { ...preset.scales[name], name: preset.id };
  const studies = presets.filter(({ scales }) => scales !== undefined).map(({ id }) => id);
  throw new H2h3Error('usage', '--scale is for the presets of studies', {
    context: { expected: studies.join(', '), got: preset?.id ?? 'no such preset' },
  });
}

/** @throws H2h3Error `unsupported` for an experiment of a study that this version cannot run */
function requireRunnable(source: string | undefined): void {
  const needs = experiments.find(({ preset }) => preset === source)?.needs;
  if (needs === undefined || presets.some(({ id }) => id === source)) return;
  throw new H2h3Error('unsupported', `${source} cannot be run by this version: it needs ${needs}`, {
    next: '`npx h2h3 studies` lists the experiments that can.',
  });
}

function withFlags(
  base: PlanFileInput,
  flags: PlanFlags,
  catalogue: ReadonlyMap<string, Workload>,
): PlanFileInput {
  const selected =
    flags.workload === undefined ? [] : list(flags.workload).map((id) => findWorkload(id, catalogue).id);
  const sites = flags.sites === undefined ? [] : list(flags.sites);
  const urls = flags.url ?? [];
  const replaced = selected.length + sites.length + urls.length > 0;
  return {
    ...base,
    ...(replaced ? { workloads: selected, sites, urls: [...urls] } : {}),
    live: { ...base.live, ...liveOptionsOf(flags) },
    ...(flags.view === undefined ? {} : { views: viewsOf(flags.view) }),
    ...(flags.device === undefined ? {} : { device: deviceNamed(flags.device).name }),
    ...(flags.script === undefined ? {} : { script: resolve(flags.script) }),
    ...(flags.client === undefined ? {} : { clients: list(flags.client) }),
    ...(flags.network === undefined ? {} : { networks: list(flags.network) }),
    ...(flags.server === undefined ? {} : { servers: list(flags.server) }),
    ...armsOf(base, flags),
    ...(flags.repetitions === undefined
      ? {}
      : { repetitions: wholeNumber('repetitions', flags.repetitions, 1) }),
    ...(flags.set === undefined ? {} : { set: { ...base.set, ...setFactors(flags.set) } }),
    ...(flags.budgets === undefined ? {} : { budgets: [...flags.budgets] }),
    ...(flags.seed === undefined ? {} : { seed: wholeNumber('seed', flags.seed, 0) }),
    ...(flags.probe === undefined ? {} : { probes: withProbes(base, flags.probe) }),
    ...(flags.inject === undefined ? {} : { inject: flags.inject.flatMap(list) }),
    replay: { ...base.replay, ...replayFlags(flags) },
    ...(flags.maxTrials === undefined ? {} : { maxTrials: wholeNumber('max-trials', flags.maxTrials, 1) }),
    ...(flags.exploratory === true ? { exploratory: true } : {}),
    ...sequentialOf(base, flags),
    ...(flags.allowCongestionMismatch === true ? { allowCongestionMismatch: true } : {}),
  };
}

/** `--sequential` plans as many blocks as such runs have, unless --repetitions says how many. */
function sequentialOf(
  base: PlanFileInput,
  { sequential, repetitions }: PlanFlags,
): Pick<PlanFileInput, 'sequential' | 'repetitions'> {
  if (sequential === undefined) return {};
  if (!sequential) return { sequential };
  return repetitions === undefined && base.sequential !== true
    ? { sequential, repetitions: sequentialBlocks }
    : { sequential };
}

/** @throws H2h3Error `usage` for what is no `NAME=VALUE`; which names there are the plan's schema says */
function setFactors(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
      throw new H2h3Error('usage', `--set wants NAME=VALUE, got "${text}"`, {
        next: '`npx h2h3 describe factors` says what can be set.',
      });
    }),
  );
}

/** Arms of `--arms` and `--arm`; a lone `--arm` is set against what the preset or file compares with. */
function armsOf(base: PlanFileInput, { arms, arm }: PlanFlags): Pick<PlanFileInput, 'arms'> {
  if (arms === undefined && arm === undefined) return {};
  const named = [...(arms === undefined ? [] : list(arms)), ...(arm ?? [])];
  const [baseline = 'h2'] = base.arms ?? [];
  return { arms: named.length === 1 && arms === undefined ? [baseline, ...named] : named };
}

function viewsOf(text: string): View[] {
  return list(text).map((name) => {
    const view = viewSchema.safeParse(name);
    if (view.success) return view.data;
    throw new H2h3Error('usage', `unknown view "${name}"`, {
      context: { expected: viewSchema.options.join(', '), got: name },
      next: didYouMean(name, viewSchema.options),
    });
  });
}

function replayFlags({ thinkTime, deterministic, misses }: PlanFlags): ReplayOptions {
  const percent = misses === undefined ? undefined : Number(misses);
  if (percent !== undefined && !(percent >= 0 && percent <= 100))
    throw new H2h3Error('usage', `--misses wants a percentage from 0 to 100, got "${misses}"`);
  return {
    ...(thinkTime === true ? { thinkTime } : {}),
    ...(deterministic === true ? { deterministic } : {}),
    // Whoever allows misses means those of the kinds that may not be missing, too.
    ...(percent === undefined
      ? {}
      : { missShare: percent / 100, ...(percent > 0 ? { essentialMisses: Number.MAX_SAFE_INTEGER } : {}) }),
  };
}

function withProbes({ probes = [] }: PlanFileInput, added: readonly string[]): string[] {
  return [...new Set([...(probes.length === 0 ? usualProbes : probes), ...added.flatMap(list)])];
}

/** Whoever names some of what is loaded means all of it. */
function whatIsLoaded({ workloads, sites, urls }: PlanFileInput): PlanFileInput {
  const named = workloads ?? sites ?? urls;
  return named === undefined ? {} : { workloads: [], sites: [], urls: [] };
}

/** What helps whoever named something wrong in these fields of a plan. */
function nextFor(fields: readonly (PropertyKey | undefined)[]): string {
  if (fields.includes('workloads'))
    return 'Name a preset (`npx h2h3 run web`), a plan file, --workload or --url.';
  if (fields.every((field) => field === 'arms'))
    return '`npx h2h3 describe factors` says what an arm can set.';
  return '`npx h2h3 run --help` has examples.';
}

/** A plan file, preset, flags or fields of a plan file alone, with every default filled in. @throws H2h3Error `usage` or `bad-input` */
export function readPlanRequest(
  source: string | undefined,
  flags: PlanFlags,
  own: readonly Workload[] = [],
  overrides: PlanFileInput = {},
): PlanFile {
  const catalogue = workloadCatalogue(own);
  (flags.url ?? []).forEach((url) => urlWorkload(url)); // says what an address must be like
  refuseOwnServer(flags);
  const flagged = withFlags(readSource(source, flags.scale, catalogue), flags, catalogue);
  const isPreset = presets.some(({ id }) => id === source);
  const ownPath = isPreset && flags.network === undefined ? { networks: realPathOf(flagged) } : {};
  const input = { ...flagged, ...ownPath, ...whatIsLoaded(overrides), ...overrides };
  const parsed = planFileSchema.safeParse(input);
  if (parsed.success) {
    const file = withSetFactors(parsed.data);
    requireModestGrid(file);
    requireLiveAddress(file);
    requireUncontradicted(file, isPreset ? withFlags({}, flags, catalogue) : input);
    const probes = withProbes(file, []);
    requireKnownProbes(probes);
    return withGrid({ ...file, probes });
  }
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new H2h3Error('usage', `this plan cannot be: ${lines.join('; ')}`, {
    next: nextFor(parsed.error.issues.map(({ path: [field] }) => field)),
  });
}

/**
 * A factor that every arm sets leaves nothing to the condition: what the user names there besides would be dropped.
 * @param named what the user, and not a preset, gave
 * @throws H2h3Error `usage`
 */
function requireUncontradicted(file: PlanFile, named: PlanFileInput): void {
  const arms = parseArms(file.arms);
  const lists = { client: named.clients, network: named.networks, server: named.servers };
  for (const [name, values = []] of Object.entries(lists) as [keyof typeof lists, string[] | undefined][]) {
    const set = arms.map(({ factors }) => factors[name]);
    const lost = values.find((value) => !set.includes(value));
    if (lost === undefined || set.some((value) => value === undefined)) continue;
    throw new H2h3Error(
      'usage',
      `every arm sets ${name} (${set.join(', ')}), so ${name} ${lost} would be dropped`,
      {
        next: `Leave ${name} out of the arms, or do not name it besides.`,
      },
    );
  }
}

export interface PlannedWork {
  readonly plan: Plan;
  /** The workloads of the plan, in its order. */
  readonly workloads: readonly Workload[];
}

/** The workloads of a plan that was made before, for going on with it. @throws H2h3Error `bad-input` when one is not what it was. */
export function workloadsOfPlan(
  { workloads, urls, live = {}, arms, customSites = [], script }: Plan,
  own: readonly Workload[] = [],
): readonly Workload[] {
  const addresses = addressesOfArms(arms);
  const byArm = addresses.length === 0 ? [] : [workloadByArm(addresses)];
  const listed = urls.map((url) => urlWorkload(url, live));
  const named = [...own, ...byArm, ...listed, ...customSites.map(customSite)];
  const found = workloadsNamed(
    workloads.map(({ id }) => pageOfJourney(id) ?? id),
    named,
  );
  return drivenBy(loadedWorkloads(found, arms, live), script && scriptAsPlanned(script));
}

/** What is prepared and loaded: the addresses themselves, where each arm has its own. */
function loadedWorkloads(
  workloads: readonly Workload[],
  arms: readonly Arm[],
  live: LiveOptions,
): Workload[] {
  return workloads.flatMap((workload) =>
    workload.id === addressOfEachArm
      ? addressesOfArms(arms).map((url) => urlWorkload(url, live))
      : [workload],
  );
}

function workloadsNamed(ids: readonly string[], own: readonly Workload[]): Workload[] {
  const catalogue = workloadCatalogue(own);
  return ids.map((id) => findWorkload(id, catalogue));
}

/** Expands a request whose clients are resolved to ids. @throws H2h3Error `usage` */
export function planFromRequest(file: PlanFile, command: string, own: readonly Workload[] = []): PlannedWork {
  const sites = file.sites.flatMap((item) => selectSites(item, file.replay));
  const isLive = ({ id }: Workload): boolean => id.startsWith('url-');
  const byArms = withAddresses(file);
  const addresses = addressesOfArms(parseArms(byArms.arms));
  const listed = [...file.urls, ...sites.filter(isLive).map(({ title }) => title)];
  const live =
    addresses.length > 0 ? [workloadByArm(addresses)] : listed.map((url) => urlWorkload(url, file.live));
  const recorded = sites.filter((site) => !isLive(site));
  const liveIds = live.map(({ id }) => id);
  const ids = [...file.workloads, ...recorded.map(({ id }) => id), ...liveIds];
  const chosen = workloadsNamed([...new Set(ids)], [...own, ...recorded, ...live]);
  if (file.views !== undefined && !chosen.some(({ kind }) => kind === 'page'))
    throw new H2h3Error('usage', 'views are of pages, and this plan has none', {
      context: { expected: 'a page among the workloads', got: chosen.map(({ id }) => id).join(', ') },
    });
  if (file.device !== undefined && addresses.length > 0)
    throw new H2h3Error('usage', 'arms with addresses of their own are shown on the desktop only', {
      next: 'Leave the device out, or name one address for all arms with --url.',
    });
  const script = file.script === undefined ? undefined : readScript(file.script);
  const pages = inViews(shownOn(chosen, file.device), file.views);
  const workloads = drivenBy(pages, script);
  const liveWorkloads = new Set(workloads.filter(isLive).map(({ id }) => id));
  const context = {
    workloads,
    liveWorkloads,
    defaultPrimary: defaultPrimaries,
    networkSpecs,
    command,
    script,
  };
  const plan = expandPlan(
    { ...byArms, urls: addresses.length > 0 ? addresses : live.map(({ title }) => title) },
    context,
  );
  const sequential = file.sequential && file.looks === undefined && !plan.exploratory && plan.arms.length > 1;
  return {
    plan: sequential ? { ...plan, looks: plannedLooks(plan, plan.repetitions) } : plan,
    workloads: drivenBy(loadedWorkloads(pages, plan.arms, file.live), script),
  };
}
