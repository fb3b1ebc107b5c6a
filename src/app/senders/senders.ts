import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { urlWorkload } from '../../../sites/index.ts';
import { formatBytes, formatMeasured } from '../../../reports/format/numbers.ts';
import {
  senderRange,
  senderTraffic,
  senderVerdictSigns,
  senderVerdictWords,
} from '../../../reports/format/sender-words.ts';
import { changedProperties, type ChangedProperty } from '../../analyse/senders/changed-properties.ts';
import { collectSenders, type SenderTrials } from '../../analyse/senders/collect-senders.ts';
import { senderProperties } from '../../analyse/senders/properties.ts';
import { senderName } from '../../analyse/senders/sender-findings.ts';
import { maxArmBytes, maxPropertyBytes } from '../../analyse/senders/sender-traffic.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import { liveServer } from '../../core/model/live-address.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import { hasReason } from '../../core/model/reasons.ts';
import type { Senders } from '../../core/model/senders.ts';
import { makeFolder } from '../../core/system/storage-error.ts';
import { isWholeRun, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { formatDuration } from '../duration.ts';
import { givenPath } from '../given-path.ts';
import { planRequest } from '../plan/plan-request.ts';
import { resume, run } from '../run/run.ts';
import { takeSendersFolder } from './measured-request.ts';
import { budgetedRuns, forecastMs, toldBy } from './sender-budget.ts';
import { senderPlan, senderRuns, type SenderRequest, type SenderRun } from './sender-plans.ts';
import { readSenders, writeSendersPage, type SendersPage } from './senders-page.ts';

export interface SendersOptions extends SenderRequest {
  /** Folder of the runs and the page. Default: `results/senders-` with the day and the servers. */
  readonly out?: string | undefined;
  /** In all, ms: a run that would end after it is left out, and none has fewer repeats. Default: as long as it takes. */
  readonly budgetMs?: number | undefined;
  /** `senders.json` of an earlier measurement, with which this one is compared. */
  readonly baseline?: string | undefined;
  /** The day by which the folder is named. Default: now. */
  readonly now?: Date | undefined;
}

export interface MeasuredSenders extends SendersPage {
  /** What is another than in the baseline; empty without one. */
  readonly changes: readonly ChangedProperty[];
  /** 1 where a property is worse than in the baseline, otherwise of the run that went worst. */
  readonly exitCode: ExitCode;
}

const resumedBy = 'The same command goes on.';

/**
 * Measures how servers send, from outside, at the client's link, and writes the page. The same command on the same day goes
 * on where it was interrupted, and does not measure again what is whole.
 *
 * @throws H2h3Error `usage` for a server or a property that is none, and for a folder of another measurement; otherwise as `run`
 */
export async function measureSenders(options: SendersOptions, context: AppContext): Promise<MeasuredSenders> {
  const { servers, live, now = new Date(), budgetMs = Infinity } = options;
  const beganMs = performance.now();
  if (live === undefined) servers.forEach(requireServer);
  else urlWorkload(live.url); // says what an address must be like
  options.properties?.forEach(requireProperty);
  requireTold(options);
  const baseline = options.baseline === undefined ? undefined : readSenders(options.baseline);
  const day = now.toISOString().slice(0, 10);
  const names = live === undefined ? servers.join('-') : hostOf(live.url).replaceAll(':', '-');
  const out = options.out ?? join('results', `senders-${day}-${names}`);
  makeFolder(out);
  takeSendersFolder(out, options);
  await sayBudget(options, budgetMs, context);
  let exitCode: ExitCode = exitCodes.ok;
  const measured: RunDirectory[] = [];
  const notMeasured: string[] = [];
  for (const name of senderRuns(options)) {
    const folder = join(out, name);
    const leftMs = budgetMs - (performance.now() - beganMs);
    const ended =
      (await noRoomFor(name, folder, options, leftMs)) ??
      (await measureRunOf(name, folder, options, context).catch(impossibilityOf(options)));
    if (ended instanceof H2h3Error) {
      context.progress.say(`${name}: not measured: ${ended.message}`);
      notMeasured.push(ended.message);
      continue;
    }
    if (ended !== exitCodes.ok) exitCode = ended;
    const directory = openRunDirectory(folder);
    measured.push(directory);
    notMeasured.push(...stoppedByTraffic(name, options, directory));
  }
  if (measured.length === 0 && budgetMs < Infinity) throw nothingMeasured(notMeasured);
  const page = await writePage(out, options, { measured, notMeasured });
  const changes = baseline === undefined ? [] : changedProperties(baseline, page.senders);
  return {
    ...page,
    changes,
    exitCode: changes.some(({ isWorse }) => isWorse) ? exitCodes.gateWorse : exitCode,
  };
}

/** How many repeats a run left out because a property had loaded what it may, a sentence without its full stop; empty where none. */
function stoppedByTraffic(name: SenderRun, request: SenderRequest, directory: RunDirectory): string[] {
  const left = directory.journal().records.filter((record) => hasReason(record, 'traffic'));
  if (left.length === 0) return [];
  const repeats = new Set(left.map(({ blockIndex }) => blockIndex)).size;
  const limit = formatBytes(maxPropertyBytes);
  const { title = name } = senderPlan(name, request);
  return [
    `${title}: ${repeats} of ${directory.plan.repetitions} repeats, as a property of a server may load ${limit}`,
  ];
}

const hostOf = (url: string): string => new URL(url).host;

async function measureRunOf(
  name: SenderRun,
  folder: string,
  request: SenderRequest,
  context: AppContext,
): Promise<ExitCode> {
  if (isWholeRun(folder)) {
    context.progress.say(`${name}: measured already, ${givenPath(resolve(folder))}`);
    return exitCodes.ok;
  }
  if (existsSync(join(folder, 'plan.json')))
    return (await resume(folder, { resumedBy, maxArmBytes }, context)).exitCode;
  const asked = await planRequest({ plan: senderPlan(name, request) }, context);
  const finished = await run({ request: asked, out: folder, resumedBy, maxArmBytes }, context);
  return finished.exitCode;
}

/** What a budget has room for, before anything begins: it goes by forecasts, and later by the time that is left. */
async function sayBudget(request: SenderRequest, budgetMs: number, { progress }: AppContext): Promise<void> {
  if (budgetMs === Infinity) return;
  for (const { run: name, neededMs, fits } of await budgetedRuns(request, budgetMs))
    progress.say(
      `${name}: about ${formatDuration(neededMs)}${fits ? '' : ', which the budget has no room for'}`,
    );
}

/** Why a run is left out for its time; undefined where there is room for it, or it is there already. */
async function noRoomFor(
  name: SenderRun,
  folder: string,
  request: SenderRequest,
  leftMs: number,
): Promise<H2h3Error | undefined> {
  if (leftMs === Infinity || isWholeRun(folder)) return undefined;
  const neededMs = await forecastMs(name, request);
  if (neededMs <= leftMs) return undefined;
  const { title = name } = senderPlan(name, request);
  const left = leftMs > 0 ? `${formatDuration(leftMs)} are left` : 'none is left';
  return new H2h3Error(
    'usage',
    `${title} (${toldBy(name)}): about ${formatDuration(neededMs)}, and of the budget ${left}`,
  );
}

/** Of a budget that has room for no run. */
function nothingMeasured([first = '']: readonly string[]): H2h3Error {
  return new H2h3Error('usage', `nothing was measured: ${first}`, {
    next: 'Give it more time, or name fewer servers or properties.',
  });
}

/** Of all that can be measured, what these servers or this client cannot is passed over; of what is asked for by name nothing is. */
const impossibilityOf =
  ({ all }: SenderRequest) =>
  (thrown: unknown): H2h3Error => {
    const isPassedOver =
      all && thrown instanceof H2h3Error && (thrown.code === 'usage' || thrown.code === 'unsupported');
    if (isPassedOver) return thrown;
    throw thrown;
  };

/** @throws H2h3Error `usage` */
function requireServer(name: string): void {
  if (serverNamed(name) !== undefined) return;
  const known = serverSoftware.map(({ id }) => id);
  const isProxy = proxyNamed(name) !== undefined;
  throw new H2h3Error('usage', `there is no server "${name}"`, {
    context: { expected: known.join(', '), got: name },
    next: isProxy
      ? 'A proxy sends what a server behind it gives: measure it by `npx h2h3 run` with proxy=.'
      : didYouMean(name, known, '`npx h2h3 describe servers` lists them.'),
  });
}

/** @throws H2h3Error `usage` */
function requireProperty(id: string): void {
  const known = senderProperties.map((property) => property.id);
  if (known.includes(id)) return;
  throw new H2h3Error('usage', `there is no property "${id}" of a sender`, {
    context: { expected: known.join(', '), got: id },
    next: didYouMean(id, known, `Name some of ${known.join(', ')}.`),
  });
}

/** @throws H2h3Error `usage` where nothing of what is asked can be told of a live address */
function requireTold(request: SenderRequest): void {
  if (senderRuns(request).length > 0) return;
  throw new H2h3Error('usage', 'none of these properties can be told of a server that is not ours', {
    next: 'Name others, such as first-flight, or measure a server of h2h3.',
  });
}

async function writePage(
  out: string,
  request: SenderRequest,
  {
    measured,
    notMeasured,
  }: { readonly measured: readonly RunDirectory[]; readonly notMeasured: readonly string[] },
): Promise<SendersPage> {
  const runs: SenderTrials[] = measured.map((directory) => ({
    records: directory.journal().records,
    environment: directory.environment(),
  }));
  const { servers, live } = request;
  const senders =
    live === undefined
      ? collectSenders(servers, runs)
      : collectSenders([liveServer], runs, () => hostOf(live.url));
  const whole = notMeasured.length === 0 ? senders : { ...senders, notMeasured: [...notMeasured] };
  const told = live === undefined ? whole : withSmallFile(whole, runs);
  return writeSendersPage(out, told);
}

/** A shorter one has ended before what happens to the path is over. */
const minFileBytes = 10_000_000;

/** Says first that a live address has answered with too little, where it has. */
function withSmallFile(senders: Senders, runs: readonly SenderTrials[]): Senders {
  const bytes = runs.flatMap(({ records }) =>
    records.flatMap(({ metrics }) => numericMetric(metrics, 'wireBytes') ?? []),
  );
  const most = Math.max(...bytes);
  if (bytes.length === 0 || most >= minFileBytes) return senders;
  return {
    ...senders,
    headline: `The address answers with ${formatMeasured(most / 1e6, 'MB')} where ${minFileBytes / 1e6} MB are needed. ${senders.headline}`,
  };
}

/** What was loaded, and what was not measured, a line each. */
export function senderNotes(senders: Senders): string[] {
  const traffic = senderTraffic(senders);
  const notMeasured = (senders.notMeasured ?? []).map((reason) => `Not measured: ${reason}.`);
  return [...(traffic === '' ? [] : [traffic]), ...notMeasured];
}

/** A row for each property of each sender, as a terminal shows them. */
export function senderRows({ senders, properties }: Senders): string[][] {
  const columns = new Map(properties.map((column) => [column.id, column]));
  return [
    ['sender', 'property', 'median', 'interval', 'verdict'],
    ...senders.flatMap((sender) =>
      sender.properties.map((measured) => {
        const { property, median, verdict } = measured;
        const { title, unit } = columns.get(property) ?? { title: property, unit: '' };
        return [
          senderName(sender),
          title,
          formatMeasured(median, unit),
          senderRange(measured, unit),
          `${senderVerdictSigns[verdict]} ${senderVerdictWords[verdict]}`,
        ];
      }),
    ),
  ];
}
