import { textOfKind, withoutFigures } from '../../core/model/alike-texts.ts';
import { congestionKind } from '../../core/model/congestion-kind.ts';
import { noTcp, type Environment } from '../../core/model/environment.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import { shardName } from '../../core/model/shard.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { wasDisturbed, type TrialRecord } from '../../core/model/record.ts';
import { appShares } from './app-share.ts';
import { timeOfRun } from './run-time.ts';
import { nothingAtRisk } from '../comparison/video-at-risk.ts';
import { counted, percent } from '../figures/figures.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import type { InterimResults } from '../comparison/interim-analyses.ts';
import { insteadWarnings, judgedInsteadOfLoad } from '../comparison/late-paint.ts';
import { recordsInOrder, type TrialTable } from '../comparison/trial-table.ts';

/** Stolen CPU time and load above these shares of the machine are named. */
const noisyStealShare = 0.02;
const noisyLoadPerCpu = 0.5;
/** Sleeping CPUs are named where the machine disturbed at least this share of the trials. */
const noisyDisturbedShare = 0.1;
/** So many different warnings of trials are listed. */
const maxTrialWarnings = 20;

export interface RunWarningInput {
  readonly plan: Plan;
  readonly table: TrialTable;
  readonly environment: Environment | null;
  readonly storeWarnings: readonly string[];
  readonly comparisons: readonly Comparison[];
  /** Null for runs without interim analyses. */
  readonly interims: Pick<InterimResults, 'earlierEnds'> | null;
}

/** What limits what a run's figures mean. */
export interface RunWarnings {
  /** Those that may change a verdict, the gravest first. */
  readonly deciding: readonly string[];
  /** All, those that may change a verdict first. */
  readonly all: readonly string[];
}

/** Everything about the run as a whole that limits what its figures mean. */
export function runWarnings(input: RunWarningInput): RunWarnings {
  const { plan, environment, table } = input;
  const deciding = [
    ...errorWarnings(input.interims?.earlierEnds ?? []),
    ...insteadWarnings(plan, judgedInsteadOfLoad(table)),
    ...input.storeWarnings,
    ...table.warnings,
    ...(environment === null
      ? ['environment.json is missing: machine, versions and congestion control are unknown']
      : armWarnings(plan.arms, environment)),
    ...nothingAtRisk(plan, table),
    ...appShares(input.comparisons),
    ...noiseWarnings(input.comparisons),
    ...(environment === null ? [] : machinesOf(environment).flatMap(machineWarnings)),
    ...(environment === null ? [] : sleepWarnings(environment, recordsInOrder(table))),
  ];
  const others = [
    ...(environment?.warnings ?? []),
    ...clockWarnings(recordsInOrder(table)),
    ...collectTrialWarnings(table),
  ];
  return { deciding: [...new Set(deciding)], all: [...new Set([...deciding, ...others])] };
}

/**
 * Where a run ended for want of time, all error was spent; every time that it was resumed, as much begins again
 * (`interimSchedule`).
 */
function errorWarnings(ends: readonly number[]): string[] {
  const [first] = ends;
  if (first === undefined) return [];
  const spent = ends.length + 1;
  return [
    `the time budget ended this run after ${ends.map((end) => counted(end, 'block')).join(' and after ')}, ` +
      `where the whole error of ${percent(defaultAlpha)} was spent. The run was continued, so error is spent ` +
      `${spent === 2 ? 'a second time' : `${spent} times`}, and later verdicts have a level of ` +
      `${percent(spent * defaultAlpha)}, not ${percent(defaultAlpha)}`,
  ];
}

function clockWarnings(records: readonly TrialRecord[]): string[] {
  const { setBackMs } = timeOfRun(records);
  if (setBackMs === 0) return [];
  return [
    `the clock of the day was set back by about ${Math.round(setBackMs / 60_000)} min during the run: times of day are not to be trusted, durations are measured with another clock`,
  ];
}

interface NamedMachine {
  readonly machine: Environment['machine'];
  /** Follows the sentence, where a run has several. */
  readonly where: string;
}

function machinesOf({ machine, hosts }: Environment): NamedMachine[] {
  if (hosts === undefined) return [{ machine, where: '' }];
  return hosts.map((host) => ({ machine: host.machine, where: ` on ${host.host}` }));
}

function machineWarnings({ machine, where }: NamedMachine): string[] {
  const warnings: string[] = [];
  if (machine.loadAverage1m > noisyLoadPerCpu * machine.cpuCount) {
    warnings.push(
      `noise: load average ${machine.loadAverage1m.toFixed(1)} on ${counted(machine.cpuCount, 'CPU')} when the run began${where}`,
    );
  }
  if (machine.stealShare !== null && machine.stealShare > noisyStealShare) {
    warnings.push(
      `noise: the hypervisor took ${percent(machine.stealShare)} of the CPU time when the run began${where}`,
    );
  }
  return warnings;
}

/** That trials were run again because idle CPUs of a virtual machine wake late, which can be helped. */
function sleepWarnings({ networks }: Environment, records: readonly TrialRecord[]): string[] {
  if (!networks.some(({ cpusWakeLate }) => cpusWakeLate === true)) return [];
  const disturbed = records.filter(wasDisturbed).length;
  if (disturbed < noisyDisturbedShare * records.length) return [];
  return [
    `noise: the machine disturbed ${disturbed} of ${counted(records.length, 'trial')}. Idle CPUs of this virtual machine wake late (npx h2h3 doctor says what keeps them awake)`,
  ];
}

/** What a reader must see before any figure: a part of a plan, arms that run unlike congestion control over an impaired path. */
export function runBanners(plan: Plan, environment: Environment | null): string[] {
  const mixed =
    environment !== null && isImpaired(environment) ? congestionWarnings(plan.arms, environment) : [];
  return [...shardBanner(plan), ...mixed];
}

function shardBanner({ shard }: Plan): string[] {
  if (shard === undefined) return [];
  return [
    `this is shard ${shardName(shard)} of a plan, with few of its blocks: what the plan asks is answered by all of them (npx h2h3 merge)`,
  ];
}

function isImpaired(environment: Environment): boolean {
  return environment.networks.some((network) => network.impaired);
}

function congestionWarnings(arms: readonly Arm[], environment: Environment): string[] {
  const transports = new Set(
    arms.map(({ factors }) => (factors.protocol === 'h1' || factors.protocol === 'h2' ? 'tcp' : 'quic')),
  );
  if (transports.size < 2) return [];
  const weight = isImpaired(environment)
    ? 'On an impaired network the comparison measures the algorithms as much as the protocols'
    : 'Without loss or a rate limit this matters little';
  return environment.servers.flatMap((server) => {
    const { name, quicCongestionControl: quic, tcpCongestionControl: tcp } = server;
    if (tcp === noTcp || congestionKind(quic) === congestionKind(tcp)) return [];
    const note = server.tcpCongestionControlNote === undefined ? '' : ` (${server.tcpCongestionControlNote})`;
    return `congestion control differs at ${name}: QUIC ${quic}, TCP ${tcp}${note}. ${weight}`;
  });
}

/** Arms that differ by more than what is compared: congestion control, browser build. */
function armWarnings(arms: readonly Arm[], environment: Environment): string[] {
  const warnings = congestionWarnings(arms, environment);
  const armClients = new Set(arms.flatMap(({ factors }) => factors.client ?? []));
  const builds = new Set(
    environment.clients.filter((client) => armClients.has(client.id)).map((client) => client.build),
  );
  if (builds.size > 1)
    warnings.push(
      'the arms run different browser builds (full, headless shell): builds differ more than releases',
    );
  return warnings;
}

/** Primary comparisons whose interval is wider than what they are to detect. */
function noiseWarnings(comparisons: readonly Comparison[]): string[] {
  const noisy = comparisons.flatMap(({ primary, verdict, ratioInterval, margin, metric, workload }) => {
    if (!primary || verdict !== 'inconclusive' || ratioInterval === null) return [];
    const halfWidth = Math.log(ratioInterval[1] / ratioInterval[0]) / 2;
    return halfWidth > 2 * Math.log1p(margin)
      ? [`${metric} of ${workload} (${Math.exp(halfWidth).toFixed(2)} times either way)`]
      : [];
  });
  if (noisy.length === 0) return [];
  const more = noisy.length > 3 ? ` and ${noisy.length - 3} more` : '';
  return [
    `noise: intervals are more than twice as wide as the margin: ${noisy.slice(0, 3).join(', ')}${more}`,
  ];
}

interface WarningGroup {
  /** Different ones. */
  readonly texts: Set<string>;
  readonly countByArm: Map<string, number>;
}

/** The trials' own warnings, each kind once with its count by arm and the range of its figures, which do not make it another. */
function collectTrialWarnings(table: TrialTable): string[] {
  const groups = new Map<string, WarningGroup>();
  for (const { record } of table.trials) {
    for (const text of new Set(record?.warnings)) {
      const key = withoutFigures(text);
      const group = groups.get(key) ?? { texts: new Set<string>(), countByArm: new Map<string, number>() };
      group.texts.add(text);
      const arm = record?.arm ?? '';
      group.countByArm.set(arm, (group.countByArm.get(arm) ?? 0) + 1);
      groups.set(key, group);
    }
  }
  const sorted = [...groups.values()].sort((a, b) => trialCount(b) - trialCount(a));
  const lines = sorted.slice(0, maxTrialWarnings).map(warningLine);
  const rest = sorted.length - lines.length;
  return rest > 0 ? [...lines, `${rest} further kinds of trial warnings are in the journal`] : lines;
}

function trialCount({ countByArm }: WarningGroup): number {
  return [...countByArm.values()].reduce((sum, count) => sum + count, 0);
}

function warningLine(group: WarningGroup): string {
  const arms = [...group.countByArm].map(([arm, count]) => `${count} of ${arm}`).join(', ');
  const { text, isExample } = textOfKind([...group.texts]);
  return `${counted(trialCount(group), 'trial')} (${arms}): ${isExample ? 'for example ' : ''}${text}`;
}
