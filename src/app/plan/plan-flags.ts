import { resolve } from 'node:path';
import { usualProbes } from '../../../harness/probes/selection.ts';
import { deviceNamed } from '../../../sites/index.ts';
import { sequentialBlocks } from '../../analyse/comparison/interim-levels.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { viewSchema, type ReplayOptions, type View, type Workload } from '../../core/model/workload.ts';
import { isReadyAudience } from '../../plan/audience/ready/registry.ts';
import type { PlanFileInput } from '../../plan/plan-file.ts';
import { parseInstrumentedBlocks } from './instrumented-blocks.ts';
import { appOptionsOf, liveOptionsOf, type LiveFlags } from './live-flags.ts';
import { findWorkload } from './workload-catalogue.ts';
import { oneOf } from '../one-of.ts';
import { wholeNumber } from '../whole-number.ts';

/** Flags that override what a preset or a plan file says; all as typed. */
export interface PlanFlags extends LiveFlags {
  readonly repetitions?: string;
  /** A number of blocks, or `all`. */
  readonly recorded?: string;
  readonly scale?: string;
  readonly arms?: string;
  /** Written arms with commas in them. */
  readonly arm?: readonly string[];
  readonly workload?: string;
  readonly sites?: string;
  readonly view?: string;
  readonly device?: string;
  readonly script?: string;
  /** Of `calibrate`: the pages are loaded without the script as well. */
  readonly pagesWithoutScript?: boolean;
  readonly client?: string;
  readonly network?: string;
  /** Machine on which servers start, as ssh is told of it. */
  readonly serverHost?: string;
  /** The same for clients. */
  readonly clientHost?: string;
  /** A file that says who the users are. */
  readonly audience?: string;
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
  readonly quickStart?: boolean;
  readonly maxTrials?: string;
}

/** Other machines: a flag takes the place of what a file says of the same one. */
function hostsOf(
  { hosts }: PlanFileInput,
  { serverHost, clientHost }: PlanFlags,
): Pick<PlanFileInput, 'hosts'> {
  if (serverHost === undefined && clientHost === undefined) return {};
  return {
    hosts: {
      ...hosts,
      ...(serverHost === undefined ? {} : { server: serverHost }),
      ...(clientHost === undefined ? {} : { client: clientHost }),
    },
  };
}

/** What a preset or a plan file says, with what flags say instead. @throws H2h3Error `usage` for a flag that cannot be */
export function withFlags(
  base: PlanFileInput,
  flags: PlanFlags,
  catalogue: ReadonlyMap<string, Workload>,
): PlanFileInput {
  const selected =
    flags.workload === undefined ? [] : list(flags.workload).map((id) => findWorkload(id, catalogue).id);
  const sites = flags.sites === undefined ? [] : list(flags.sites);
  const urls = flags.url ?? [];
  const { app: named, ...others } = base;
  const pages = flags.app ?? (flags.builds !== undefined && named === undefined ? ['/'] : undefined);
  const replaced = selected.length + sites.length + urls.length + (pages ?? []).length > 0;
  const app = appOptionsOf(replaced && pages === undefined ? undefined : named, { ...flags, app: pages });
  return {
    ...others,
    ...(replaced ? { workloads: selected, sites, urls: [...urls] } : {}),
    ...(app === undefined ? {} : { app }),
    live: { ...base.live, ...liveOptionsOf(flags) },
    ...(flags.view === undefined ? {} : { views: viewsOf(flags.view) }),
    ...(flags.device === undefined ? {} : { device: deviceNamed(flags.device).name }),
    ...(flags.script === undefined ? {} : { script: resolve(flags.script) }),
    ...(flags.pagesWithoutScript === undefined ? {} : { pagesWithoutScript: flags.pagesWithoutScript }),
    ...(flags.client === undefined ? {} : { clients: list(flags.client) }),
    ...(flags.network === undefined ? {} : { networks: list(flags.network) }),
    ...(flags.audience === undefined
      ? {}
      : { audience: isReadyAudience(flags.audience) ? flags.audience : resolve(flags.audience) }),
    ...hostsOf(base, flags),
    ...(flags.server === undefined ? {} : { servers: list(flags.server) }),
    ...armsOf(base, flags),
    ...(flags.repetitions === undefined
      ? {}
      : { repetitions: wholeNumber('repetitions', flags.repetitions, 1) }),
    ...(flags.recorded === undefined ? {} : { recordedBlocks: parseInstrumentedBlocks(flags.recorded) }),
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
    ...(flags.quickStart === true ? { quickStart: true } : {}),
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
  return list(text).map((name) => oneOf('view', viewSchema.options, name));
}

function replayFlags({ thinkTime, deterministic, misses }: PlanFlags): ReplayOptions {
  const percent = misses === undefined ? undefined : Number(misses);
  if (percent !== undefined && !(percent >= 0 && percent <= 100))
    throw new H2h3Error('usage', `--misses wants a percentage from 0 to 100, got "${misses}"`);
  return {
    ...(thinkTime === true ? { thinkTime } : {}),
    ...(deterministic === true ? { deterministic } : {}),
    // A user who allows misses means those of the kinds that may not be missing, too.
    ...(percent === undefined
      ? {}
      : { missShare: percent / 100, ...(percent > 0 ? { essentialMisses: Number.MAX_SAFE_INTEGER } : {}) }),
  };
}

/** What is recorded by default, or what the plan names, and what is added. */
export function withProbes({ probes = [] }: PlanFileInput, added: readonly string[]): string[] {
  return [...new Set([...(probes.length === 0 ? usualProbes : probes), ...added.flatMap(list)])];
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
