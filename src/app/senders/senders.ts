import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { formatMeasured } from '../../../reports/format/numbers.ts';
import { senderRange, senderVerdictSigns, senderVerdictWords } from '../../../reports/format/sender-words.ts';
import { renderSendersPage } from '../../../reports/html/senders/render-senders-page.ts';
import { renderSendersCsv } from '../../../reports/csv/senders-csv.ts';
import { changedProperties, type ChangedProperty } from '../../analyse/senders/changed-properties.ts';
import { collectSenders, type SenderTrials } from '../../analyse/senders/collect-senders.ts';
import { senderName } from '../../analyse/senders/sender-findings.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import { sendersSchema, type Senders } from '../../core/model/senders.ts';
import { makeFolder } from '../../core/system/storage-error.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { readDocument } from '../../store/read-document.ts';
import { isWholeRun, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { planRequest } from '../plan/plan-request.ts';
import { resume, run } from '../run/run.ts';
import { senderPlan, senderRuns, type SenderRequest, type SenderRun } from './sender-plans.ts';

export interface SendersOptions extends SenderRequest {
  /** Folder of the runs and the page. Default: `results/senders-` with the day and the servers. */
  readonly out?: string | undefined;
  /** `senders.json` of an earlier measurement, with which this one is compared. */
  readonly baseline?: string | undefined;
  /** The day by which the folder is named. Default: now. */
  readonly now?: Date | undefined;
}

export interface MeasuredSenders {
  readonly senders: Senders;
  /** Path of `senders.html`; JSON and CSV lie beside it. */
  readonly pagePath: string;
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
 * @throws H2h3Error `usage` for a server that is none; otherwise as `run`
 */
export async function measureSenders(options: SendersOptions, context: AppContext): Promise<MeasuredSenders> {
  const { servers, now = new Date() } = options;
  servers.forEach(requireServer);
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  const day = now.toISOString().slice(0, 10);
  const out = options.out ?? join('results', `senders-${day}-${servers.join('-')}`);
  makeFolder(out);
  let exitCode: ExitCode = exitCodes.ok;
  const measured: RunDirectory[] = [];
  for (const name of senderRuns(options)) {
    const folder = join(out, name);
    const ended = await measureRunOf(name, folder, options, context);
    if (ended !== exitCodes.ok) exitCode = ended;
    measured.push(openRunDirectory(folder));
  }
  const page = await writePage(out, options, measured);
  const changes = baseline === undefined ? [] : changedProperties(baseline, page.senders);
  return {
    ...page,
    changes,
    exitCode: changes.some(({ isWorse }) => isWorse) ? exitCodes.gateWorse : exitCode,
  };
}

/** @throws H2h3Error `bad-input` */
function readBaseline(file: string): Senders {
  return readDocument(file, sendersSchema, {
    what: 'senders.json of an earlier measurement',
    next: 'Name the senders.json that `npx h2h3 senders` wrote.',
  });
}

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
  if (existsSync(join(folder, 'plan.json'))) return (await resume(folder, { resumedBy }, context)).exitCode;
  const finished = await run(
    { request: await planRequest({ plan: senderPlan(name, request) }, context), out: folder, resumedBy },
    context,
  );
  return finished.exitCode;
}

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

async function writePage(
  out: string,
  request: SenderRequest,
  directories: readonly RunDirectory[],
): Promise<Pick<MeasuredSenders, 'senders' | 'pagePath'>> {
  const runs: SenderTrials[] = directories.map((directory) => ({
    records: directory.journal().records,
    environment: directory.environment(),
  }));
  const senders = collectSenders(request.servers, runs);
  writeWhole(join(out, 'senders.json'), `${JSON.stringify(senders, null, 1)}\n`);
  writeWhole(join(out, 'senders.csv'), renderSendersCsv(senders));
  const pagePath = resolve(out, 'senders.html');
  writeWhole(pagePath, await renderSendersPage(senders));
  return { senders, pagePath };
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
