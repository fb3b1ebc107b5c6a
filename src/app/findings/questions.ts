import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isQuestionsPage, renderQuestionsPage } from '../../../reports/markdown/questions-page.ts';
import { answerQuestion } from '../../analyse/studies/answer-question.ts';
import { studyRunOfRecords } from '../../analyse/summary/study-run-of-records.ts';
import type { AskedQuestion, QuestionAnswer } from '../../core/model/question.ts';
import type { StudyRun } from '../../core/model/study-run.ts';
import type { Summary } from '../../core/model/summary.ts';
import { requireWritable, writeWhole } from '../../core/system/write-whole.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { diagnoseRun } from '../diagnose/diagnose.ts';
import { givenPath } from '../given-path.ts';
import { pack } from '../pack/pack.ts';
import { askedQuestions } from '../presets/registry.ts';
import { writeSummary } from '../report/publish.ts';
import { keepRuns, readKeptRuns } from '../studies/kept-runs.ts';
import { packageDir } from '../version.ts';
import { readOwnPage, renewEach, standingNamed, standingTimes, type Renewed } from './measure-standing.ts';

export interface QuestionsOptions {
  /** Some of them, by id. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Folder of the runs, one below it for each question and day, with its archive. Default: `results/questions`. */
  readonly out?: string | undefined;
  /** The page of all. Default: `docs/questions.md`. */
  readonly page?: string | undefined;
  /** Folder of the kept runs, of which the page is made. Default: the project's own. */
  readonly kept?: string | undefined;
  /** Whether each run is diagnosed too, as by `diagnose --measure`. Default: no. */
  readonly diagnose?: boolean | undefined;
  /** The day by which runs are named. Default: now. */
  readonly now?: Date | undefined;
}

export interface RenewedQuestions extends Renewed {
  readonly pagePath: string;
}

/** Where the project keeps the runs that answer questions, a file each. */
export function keptAnswersFolder(): string {
  return join(packageDir(), 'reports', 'questions');
}

/** @throws H2h3Error `usage` for a name that is none */
export function questionsNamed(names: readonly string[] | undefined): readonly AskedQuestion[] {
  return standingNamed('question', askedQuestions(), names);
}

/** Time that each should take, ms; 0 for one that cannot be run here. */
export async function questionTimes(those: readonly AskedQuestion[]): Promise<number[]> {
  const times = await standingTimes(those);
  return those.map(({ needs }, index) => (needs === undefined ? (times[index] ?? 0) : 0));
}

/** Each question with its answer from the kept runs, and a line for each file that does not count. */
export function answeredQuestions(
  those: readonly AskedQuestion[] = askedQuestions(),
  kept = keptAnswersFolder(),
): {
  readonly answered: readonly (readonly [AskedQuestion, QuestionAnswer])[];
  readonly passedOver: readonly string[];
} {
  const { runs, passedOver } = readKeptRuns(kept);
  // Those of before come first.
  const newest = new Map(runs.map((run) => [run.preset, run]));
  return {
    answered: those.map((question) => [question, answerQuestion(question, newest.get(question.preset))]),
    passedOver,
  };
}

/** The page of all questions from what is kept. */
export function questionsPageText(those?: readonly AskedQuestion[], kept?: string): string {
  return renderQuestionsPage(answeredQuestions(those, kept).answered);
}

/**
 * Measures questions one after the other, keeps each run with its archive, and writes the page of all. A run of today that was interrupted
 * goes on, one that is whole is not made again. What needs something that is not here, or was not measured whole, says why.
 *
 * @throws H2h3Error `usage` for a page that is not ours, `interrupted` when asked to stop; the same command goes on
 */
export async function renewQuestions(
  {
    only,
    out = join('results', 'questions'),
    page = join('docs', 'questions.md'),
    kept = keptAnswersFolder(),
    diagnose = false,
    now = new Date(),
  }: QuestionsOptions,
  context: AppContext,
): Promise<RenewedQuestions> {
  const those = questionsNamed(only);
  readOwnPage(page, isQuestionsPage);
  requireWritable(page, '--page');
  for (const { id, needs } of those)
    if (needs !== undefined) context.progress.say(`${id}: cannot be run here, it needs ${needs}`);
  const renewed = await renewEach(
    those.filter(({ needs }) => needs === undefined),
    { out, day: now },
    async (_question, directory) => {
      keep(directory, { kept, page });
      if (diagnose) {
        await diagnoseRun(directory.path, { measure: true }, context);
        keep(directory, { kept, page });
      }
      await packOf(directory, context);
    },
    context,
  );
  writeWhole(page, questionsPageText(undefined, kept));
  return { pagePath: resolve(page), ...renewed };
}

function keep(
  directory: RunDirectory,
  { kept, page }: { readonly kept: string; readonly page: string },
): void {
  keepRuns(kept, [runOf(directory)]);
  writeWhole(page, questionsPageText(undefined, kept));
}

/** What is kept of the run of a question: its values, and what its diagnosis says. */
function runOf(directory: RunDirectory): StudyRun {
  const { records } = directory.journal();
  const run = studyRunOfRecords(directory.plan, records, directory.environment());
  const diagnosed = diagnosedIn(writeSummary(directory));
  return diagnosed.length === 0 ? run : { ...run, diagnosed };
}

function diagnosedIn({ diagnosis = [] }: Summary): NonNullable<StudyRun['diagnosed']> {
  return diagnosis.flatMap(({ baselineArm, candidateArm, causes = [], parts }) => {
    const told = parts.flatMap(({ cause, ms, interval }) =>
      interval === null ? [] : [{ title: cause, ms, interval }],
    );
    if (causes.length === 0 && told.length === 0) return [];
    return [{ baselineArm, candidateArm, causes: causes.map(({ title }) => title), parts: told }];
  });
}

/** The archive lies next to its run and is made anew, as the run may have been diagnosed since. */
async function packOf({ path }: RunDirectory, context: AppContext): Promise<void> {
  const out = join(path, '..', `${basename(path)}.zip`);
  rmSync(out, { force: true });
  await pack(path, { out }, context);
  context.progress.say(`packed: ${givenPath(out)}`);
}
