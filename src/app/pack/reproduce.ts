import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderAgreementMarkdown } from '../../../reports/markdown/render-agreement.ts';
import { agreementOfRuns } from '../../analyse/compare-runs/agreement.ts';
import type { Agreement } from '../../model/agreement.ts';
import { H2h3Error } from '../../model/errors.ts';
import { exitCodes, type ExitCode } from '../../model/exit-codes.ts';
import type { Plan } from '../../model/plan.ts';
import { readRunArchive, unpackInto } from '../../store/run-archive.ts';
import { createRunDirectory, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { writeWhole } from '../../system/write-whole.ts';
import type { AppContext } from '../app-context.ts';
import { requireRecords } from '../report/publish.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { resume } from '../run/run.ts';

export interface ReproduceOptions {
  /** Folder of what was measured there (`original`), what is measured here (`again`) and the agreement of both. */
  readonly out: string;
  /** Blocks to measure, at most those of the archive. Default: all of them. */
  readonly repetitions?: number | undefined;
}

export interface ReproducedRun {
  readonly agreement: Agreement;
  /** Path of `agreement.md`; `agreement.json` lies beside it. */
  readonly pagePath: string;
  /** 1 where a primary comparison is decided otherwise, else 0, or that of the run. */
  readonly exitCode: ExitCode;
}

/**
 * Measures the plan of an archive again on this machine and says comparison by comparison whether both agree. What was
 * interrupted goes on with the same command.
 *
 * @throws H2h3Error `bad-input` for an archive that is cut, changed or of a newer version, or whose plan would run somebody
 * else's commands; all else as `run`
 */
export async function reproduce(
  file: string,
  { out, repetitions }: ReproduceOptions,
  context: AppContext,
): Promise<ReproducedRun> {
  const original = unpacked(file, resolve(out));
  const { plan } = original;
  requireOwnCommands(plan);
  const folder = join(resolve(out), 'again');
  if (!existsSync(join(folder, 'plan.json')))
    createRunDirectory(folder, planToRepeat(plan, repetitions, context));
  const { summary, exitCode } = await resume(folder, {}, context);
  const agreement = agreementOfRuns(summaryOf(original), summary);
  const pagePath = join(resolve(out), 'agreement.md');
  writeWhole(join(resolve(out), 'agreement.json'), `${JSON.stringify(agreement, null, 1)}\n`);
  writeWhole(pagePath, renderAgreementMarkdown(agreement));
  const contradicted = agreement.rows.some(({ primary, agreement: kind }) => primary && kind === 'differs');
  return {
    agreement,
    pagePath,
    exitCode: exitCode === exitCodes.ok && contradicted ? exitCodes.gateWorse : exitCode,
  };
}

/** The run of the archive, in a folder of its own that is made once. */
function unpacked(file: string, out: string): RunDirectory {
  const folder = join(out, 'original');
  const files = readRunArchive(file);
  if (!existsSync(folder)) {
    if (existsSync(out) && readdirSync(out).length > 0)
      throw new H2h3Error('usage', `${out} is not empty`, { next: 'Name a new folder with --out.' });
    mkdirSync(folder, { recursive: true });
    unpackInto(folder, files);
  }
  const directory = openRunDirectory(folder);
  requireRecords(directory);
  return directory;
}

/** @throws H2h3Error `bad-input` for a plan that starts programs or reads files of whoever made it */
function requireOwnCommands({ live, script, urls, customSites = [], trials }: Plan): void {
  const factors = trials.map((trial) => trial.factors);
  const reasons = [
    ...(factors.some(({ client }) => client?.includes('/')) ? ['it names a browser by a path'] : []),
    ...(factors.some(({ flags }) => flags !== undefined)
      ? ['it sets flags of a browser, which can start programs']
      : []),
    ...(live?.server === undefined ? [] : ['it starts a server by a command of its own']),
    ...(script === undefined ? [] : ['it drives pages by a script of its own']),
    ...(urls.length === 0 && factors.every(({ url }) => url === undefined)
      ? []
      : ['it loads live addresses, which may have changed']),
    ...(customSites.length === 0 ? [] : ['it loads recorded sites, which are not in the archive']),
  ];
  if (reasons.length === 0) return;
  throw new H2h3Error('bad-input', `this plan is not measured again by itself: ${reasons.join(', ')}`, {
    next: 'Read plan.json in the folder `original`, and run its command by hand if you trust it.',
  });
}

/** The same plan without what holds on the other machine alone; of fewer blocks, where fewer are asked for. */
function planToRepeat(plan: Plan, repetitions: number | undefined, context: AppContext): Plan {
  const { looks, ...kept } = plan;
  const whole = {
    ...kept,
    command: context.command,
    shard: undefined,
    queue: undefined,
    ends: undefined,
  };
  if (repetitions === undefined || repetitions >= plan.repetitions) return { ...whole, looks };
  const trials = plan.trials.filter(
    // Recorded blocks have indices behind those of the bare ones, or share them.
    ({ blockIndex }) => blockIndex < repetitions || blockIndex >= plan.repetitions,
  );
  return { ...whole, repetitions, trials };
}
