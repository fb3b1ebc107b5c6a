import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { renderAgreementMarkdown } from '../../../reports/markdown/render-agreement.ts';
import { agreementOfRuns } from '../../analyse/compare-runs/agreement.ts';
import type { Agreement } from '../../core/model/agreement.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Plan } from '../../core/model/plan.ts';
import { trialsAgain } from '../../plan/outside-plan.ts';
import { parseJson } from '../../store/read-document.ts';
import { filesOfRun, readRunArchive, sha256Of, unpackInto } from '../../store/run-archive.ts';
import { createRunDirectory, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { makeFolder } from '../../core/system/storage-error.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import type { AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { isInstrumented } from '../plan/instrumented-blocks.ts';
import { trustedPlan, type AskTrust } from '../plan/trusted-plan.ts';
import { requireRecords } from '../report/publish.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { resume } from '../run/run.ts';

export interface ReproduceOptions {
  /** Folder of what was measured there (`original`), what is measured here (`again`) and the agreement of both. */
  readonly out: string;
  /** Blocks to measure, at most those of the archive. Default: all of them. */
  readonly repetitions?: number | undefined;
  /** Asked before each thing that the plan would start, read or reach. Default: such a plan is refused. */
  readonly trust?: AskTrust | undefined;
}

export interface ReproducedRun {
  readonly agreement: Agreement;
  /** Path of `agreement.md`; `agreement.json` lies next to it. */
  readonly pagePath: string;
  /** 1 where a primary comparison is decided otherwise, else 0, or that of the run. */
  readonly exitCode: ExitCode;
}

/**
 * Measures the plan of an archive again on this machine and says comparison by comparison whether both agree. What was
 * interrupted is resumed by the same command.
 *
 * @throws H2h3Error `bad-input` for an archive that is cut, changed or of a newer version, or whose plan would start, read or
 * reach what `trust` does not allow; `usage` for a folder that holds another run; all else as `run`
 */
export async function reproduce(
  file: string,
  { out, repetitions, trust }: ReproduceOptions,
  context: AppContext,
): Promise<ReproducedRun> {
  const files = readRunArchive(file);
  const { plan } = await trustedPlan(planIn(file, files), givenPath(resolve(file), file), trust);
  const original = unpacked(file, files, resolve(out));
  const folder = join(resolve(out), 'again');
  const planned = planToRepeat(plan, repetitions, context);
  if (existsSync(join(folder, 'plan.json'))) requireSameRun(folder, planned);
  else createRunDirectory(folder, planned);
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

/** The plan as the archive has it, not yet judged. @throws H2h3Error `bad-input` */
function planIn(file: string, files: ReadonlyMap<string, Uint8Array>): unknown {
  const content = files.get('plan.json');
  if (content === undefined)
    throw new H2h3Error('bad-input', `${file} holds no run: it has no plan.json`, {
      next: '`npx h2h3 pack DIR --out FILE.zip` makes an archive of a run.',
    });
  return parseJson(Buffer.from(content).toString('utf8'), `plan.json of ${file}`);
}

/**
 * The run of the archive, in a folder of its own. One that is there is used only if it holds the same, file by file: it may be
 * of another archive, or changed since.
 */
function unpacked(file: string, files: ReadonlyMap<string, Uint8Array>, out: string): RunDirectory {
  const folder = join(out, 'original');
  if (existsSync(folder)) requireSameFiles(folder, files, file);
  else {
    if (existsSync(out) && readdirSync(out).some((name) => name !== unfinished))
      throw new H2h3Error('usage', `${out} is not empty`, { next: 'Name a new folder with --out.' });
    unpackWhole(join(out, unfinished), folder, files);
  }
  const directory = openRunDirectory(folder);
  requireRecords(directory);
  return directory;
}

/** Where an archive is unpacked until all of it is there, so that half of one is never taken for the whole. */
const unfinished = 'original.unfinished';

function unpackWhole(partial: string, folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  rmSync(partial, { recursive: true, force: true });
  makeFolder(partial);
  unpackInto(partial, files);
  renameSync(partial, folder);
}

/** @throws H2h3Error `usage` for a folder that holds other files than the archive */
function requireSameFiles(folder: string, files: ReadonlyMap<string, Uint8Array>, file: string): void {
  const there = filesOfRun(folder, { withPacked: true });
  const names = new Set(there.files.map(({ name }) => name));
  const strange = [
    ...there.leftOut,
    ...there.files
      .filter(({ name, read }) => {
        const packed = files.get(name);
        return packed === undefined || sha256Of(read()) !== sha256Of(packed);
      })
      .map(({ name }) => name),
    ...[...files.keys()].filter((name) => !names.has(name)),
  ];
  const [first] = strange;
  if (first === undefined) return;
  throw new H2h3Error('usage', `${folder} is not what ${file} holds: ${first} differs`, {
    next: 'Name a new folder with --out, or remove this one: it is unpacked again.',
  });
}

/** @throws H2h3Error `usage` for a folder that holds another run than the archive asks for */
function requireSameRun(folder: string, planned: Plan): void {
  const begun = openRunDirectory(folder).wholePlan;
  // The command may be typed otherwise, and a run notes when it ended early.
  const asked = (plan: Plan): unknown =>
    JSON.parse(JSON.stringify({ ...plan, command: '', ends: undefined }));
  if (isDeepStrictEqual(asked(begun), asked(planned))) return;
  const next = 'Name a new folder with --out, or give the same archive and the same --repetitions.';
  throw new H2h3Error('usage', `${folder} holds another run: ${begun.repetitions} blocks of ${begun.name}`, {
    next,
  });
}

/** The same plan without what holds on the other machine alone; of fewer blocks, where fewer are asked for. */
function planToRepeat(plan: Plan, repetitions: number | undefined, context: AppContext): Plan {
  const { interims, ...kept } = plan;
  const again = trialsAgain(plan, (client) => isInstrumented(client, plan.probes));
  const whole = {
    ...kept,
    trials: again,
    command: context.command,
    shard: undefined,
    queue: undefined,
    ends: undefined,
  };
  if (repetitions === undefined || repetitions >= plan.repetitions) return { ...whole, interims };
  const trials = again.filter(
    // Recorded blocks have indices behind those of the timed ones, or share them.
    ({ blockIndex }) => blockIndex < repetitions || blockIndex >= plan.repetitions,
  );
  return { ...whole, repetitions, trials };
}
