import { networkSpecs } from '../../../harness/network/registry.ts';
import { appWorkloads, customSite, ofBuild, selectSites, urlWorkload } from '../../../sites/index.ts';
import { plannedInterims } from '../../analyse/forecast/decidability.ts';
import { withCurrentNames } from '../../core/factors/former-names.ts';
import { defaultPrimaries } from '../../core/metrics/registry.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { buildNames } from '../../core/model/app-under-test.ts';
import type { LiveOptions } from '../../core/model/live-address.ts';
import { pageOfJourney } from '../../core/model/journey-name.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import type { Workload } from '../../core/model/workload.ts';
import { parseArms } from '../../plan/arms.ts';
import { expandPlan } from '../../plan/expand-plan.ts';
import { withAudience } from '../../plan/audience/with-audience.ts';
import { withGrid } from '../../plan/expand-grid.ts';
import { requireModestGrid } from '../../plan/plan-size.ts';
import { planFileSchema, withSetFactors, type PlanFile, type PlanFileInput } from '../../plan/plan-file.ts';
import { isInstrumented } from './instrumented-blocks.ts';
import { presetNamed } from '../presets/registry.ts';
import { readAudienceFile } from './audience-file.ts';
import { addressOfEachArm, addressesOfArms, withAddresses, workloadByArm } from './arm-addresses.ts';
import { readScript, scriptAsPlanned } from './journey-script.ts';
import type { AppContext } from '../app-context.ts';
import { loadOwnWorkloads } from './own-workloads.ts';
import { requireKnownProbes } from './known-names.ts';
import { realPathOf, refuseOwnServer, requireAppOptions, requireLiveAddress } from './live-flags.ts';
import { withFlags, withProbes, type PlanFlags } from './plan-flags.ts';
import { readSource } from './plan-source.ts';
import { drivenBy, inViews, shownOn } from './shown-pages.ts';
import { findWorkload, workloadCatalogue } from './workload-catalogue.ts';

/** A user who names some of what is loaded means all of it. */
function loadedFields({ workloads, sites, urls, app }: PlanFileInput): PlanFileInput {
  const named = workloads ?? sites ?? urls ?? app;
  return named === undefined ? {} : { workloads: [], sites: [], urls: [], app: undefined };
}

/** What helps a user who named something wrong in these fields of a plan. */
function nextFor(fields: readonly (PropertyKey | undefined)[]): string {
  if (fields.includes('workloads'))
    return 'Name a preset (`npx h2h3 run web`), a plan file, --workload, --url or --app.';
  if (fields.every((field) => field === 'arms'))
    return '`npx h2h3 describe factors` says what an arm can set.';
  return '`npx h2h3 run --help` has examples.';
}

/** A plan file with every default filled in. */
export type ReadPlan = PlanFile & {
  /** Names of before of factors that file or flags have. Absent: none. */
  readonly formerNames?: readonly string[];
};

/** What a user asks to be measured, read once; nothing after it looks at the command line again. */
export interface PlanRequest {
  /** Preset or plan file, as named. */
  readonly source: string | undefined;
  readonly read: ReadPlan;
  /** Workloads of own videos that `read` may name. */
  readonly own: readonly Workload[];
  /** Whether the user chose the network: it is then never replaced by loopback. */
  readonly namesNetwork: boolean;
}

/** @param plan fields of a plan file, which win over all else. @throws H2h3Error `usage` or `bad-input` */
export async function planRequest(
  {
    source,
    flags = {},
    plan = {},
  }: {
    readonly source?: string | undefined;
    readonly flags?: PlanFlags | undefined;
    readonly plan?: PlanFileInput | undefined;
  },
  context: AppContext,
): Promise<PlanRequest> {
  const own = await loadOwnWorkloads(context);
  const read = readPlanRequest(source, flags, own, plan);
  return { source, read, own, namesNetwork: flags.network !== undefined || plan.networks !== undefined };
}

/** A plan file, preset, flags or fields of a plan file alone, with every default filled in. @throws H2h3Error `usage` or `bad-input` */
export function readPlanRequest(
  source: string | undefined,
  flags: PlanFlags,
  own: readonly Workload[] = [],
  overrides: PlanFileInput = {},
): ReadPlan {
  const catalogue = workloadCatalogue(own);
  (flags.url ?? []).forEach((url) => urlWorkload(url)); // says what an address must be like
  refuseOwnServer(flags);
  const document = readSource(source, flags.scale, catalogue);
  const flagged = withFlags(document.plan, flags, catalogue);
  const isPreset = presetNamed(source) !== undefined;
  const ownPath = isPreset && flags.network === undefined ? { networks: realPathOf(flagged) } : {};
  const { value: input, former } = withCurrentNames({
    ...flagged,
    ...ownPath,
    ...loadedFields(overrides),
    ...overrides,
  });
  const parsed = planFileSchema.safeParse(input);
  if (parsed.success) {
    const file = withSetFactors(parsed.data);
    requireModestGrid(file);
    requireLiveAddress(file);
    requireAppOptions(file, flags);
    requireUncontradicted(file, isPreset ? withFlags({}, flags, catalogue) : (input as PlanFileInput));
    const probes = withProbes(file, []);
    requireKnownProbes(probes);
    const formerNames = [...document.formerNames, ...former];
    const namesNetwork =
      flags.network !== undefined || (isPreset ? overrides : flagged).networks !== undefined;
    const over = withAudienceOf(withGrid({ ...file, probes }), namesNetwork);
    return { ...over, ...(formerNames.length === 0 ? {} : { formerNames }) };
  }
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new H2h3Error('usage', `invalid plan: ${lines.join('; ')}`, {
    next: nextFor(parsed.error.issues.map(({ path: [field] }) => field)),
  });
}

/** The plan over its users, who are read from their file. @throws H2h3Error `usage` for networks that are named too; `bad-input` */
function withAudienceOf(file: PlanFile, namesNetwork: boolean): PlanFile {
  const { audience } = file;
  if (audience === undefined) return file;
  if (namesNetwork)
    throw new H2h3Error(
      'usage',
      'an audience has networks of its own, so those named besides would be dropped',
      {
        next: 'Leave the networks out, or the audience.',
      },
    );
  return withAudience(file, typeof audience === 'string' ? readAudienceFile(audience) : audience);
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

/** The workloads of a plan that was made before, to resume it. @throws H2h3Error `bad-input` when one is not what it was. */
export function workloadsOfPlan(
  { workloads, urls, app, live = {}, arms, customSites = [], script }: Plan,
  own: readonly Workload[] = [],
): readonly Workload[] {
  const addresses = addressesOfArms(arms);
  const byArm = addresses.length === 0 ? [] : [workloadByArm(addresses)];
  const listed = urls.map((url) => urlWorkload(url, live));
  const ofApp = app === undefined ? [] : appWorkloads(app, live);
  const named = [...own, ...byArm, ...listed, ...ofApp, ...customSites.map(customSite)];
  const found = workloadsNamed([...new Set(workloads.map(({ id }) => pageOfJourney(id) ?? id))], named);
  const isDrivenAlone = workloads.every(({ id }) => pageOfJourney(id) !== undefined);
  const loaded = drivenBy(
    loadedWorkloads(found, arms, live),
    script && scriptAsPlanned(script),
    !isDrivenAlone,
  );
  return ofEachBuild(loaded, app);
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

/** What is prepared and loaded where an app has two builds: what each of them answers. */
function ofEachBuild(workloads: readonly Workload[], app: PlanFile['app']): readonly Workload[] {
  if (app?.builds === undefined) return workloads;
  return workloads.flatMap((workload) => buildNames.map((build) => ofBuild(workload, build)));
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
  const ofApp = file.app === undefined ? [] : appWorkloads(file.app, file.live);
  const made = [...recorded, ...ofApp, ...live];
  const ids = [...file.workloads, ...made.map(({ id }) => id)];
  const chosen = workloadsNamed([...new Set(ids)], [...own, ...made]);
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
  const workloads = drivenBy(pages, script, file.pagesWithoutScript);
  const liveWorkloads = new Set(workloads.filter(isLive).map(({ id }) => id));
  const context = {
    workloads,
    liveWorkloads,
    defaultPrimary: defaultPrimaries,
    networkSpecs,
    command,
    script,
    isInstrumented: (client: string) => isInstrumented(client, file.probes),
  };
  const named = { ...byArms, urls: addresses.length > 0 ? addresses : live.map(({ title }) => title) };
  const plan = expandPlan(named, context);
  const sequential =
    file.sequential && file.interims === undefined && !plan.exploratory && plan.arms.length > 1;
  return {
    plan: sequential
      ? expandPlan({ ...named, interims: plannedInterims(plan, plan.repetitions) }, context)
      : plan,
    workloads: ofEachBuild(
      drivenBy(loadedWorkloads(pages, plan.arms, file.live), script, file.pagesWithoutScript),
      file.app,
    ),
  };
}
