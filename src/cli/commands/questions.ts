import { formatDuration } from '../../app/duration.ts';
import { givenPath } from '../../app/given-path.ts';
import { listIn } from '../list-in.ts';
import { formatTable } from '../table.ts';
import type { AddCommand, CommandContext } from './command.ts';

interface QuestionsFlags {
  readonly only?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly out: string;
  readonly page: string;
  readonly kept?: string;
  readonly diagnose?: boolean;
}

const examples = `
Examples:
  npx h2h3 questions --list                 what was asked in public, how it came out, and how long each takes
  npx h2h3 questions --only nginx-window    measure one, keep its run, and renew docs/questions.md
  npx h2h3 questions --diagnose             all of them, each diagnosed too

The same command on the same day continues what was interrupted. A question that was not measured whole keeps its older answer.`;

export const addQuestionsCommand: AddCommand = (program, context, exit) => {
  program
    .command('questions')
    .description('measure what was asked in public and renew the page of answers')
    .option('--only <list>', 'some of them, by id')
    .option('--list', 'list them and measure nothing')
    .option('--json', 'with --list: print JSON')
    .option('--out <dir>', 'folder of the runs and their archives', 'results/questions')
    .option('--page <file>', 'the page that is renewed', 'docs/questions.md')
    .option('--kept <dir>', 'folder of the kept runs (default: reports/questions)')
    .option('--diagnose', 'diagnose each run too, as `diagnose --measure` does')
    .addHelpText('after', examples)
    .action(async (flags: QuestionsFlags) => {
      const { renewQuestions } = await import('../../app/findings/questions.ts');
      const only = listIn(flags.only);
      if (flags.list === true) return list(flags, only, context);
      const { pagePath, renewed, exitCode } = await renewQuestions({ ...flags, only }, context);
      context.progress.clear();
      context.print(
        renewed.length === 0
          ? 'Nothing was measured.'
          : `measured ${renewed.join(', ')}: ${givenPath(pagePath)}`,
      );
      exit(exitCode);
    });
};

async function list(
  { json, kept }: QuestionsFlags,
  only: readonly string[] | undefined,
  context: CommandContext,
): Promise<void> {
  const { answeredQuestions, questionsNamed, questionTimes } =
    await import('../../app/findings/questions.ts');
  const { answered, passedOver } = answeredQuestions(questionsNamed(only), kept);
  passedOver.forEach((line) => context.progress.say(line));
  if (json === true)
    return context.print(
      JSON.stringify({ questions: answered.map(([question, { outcome }]) => ({ ...question, outcome })) }),
    );
  const timesMs = await questionTimes(answered.map(([question]) => question));
  const rows = answered.map(([{ id, thread, asks, needs }, { outcome }], index) => [
    id,
    thread,
    asks,
    outcome,
    needs === undefined ? `about ${formatDuration(timesMs[index] ?? 0)}` : '–',
  ]);
  context.print(formatTable([['id', 'thread', 'question', 'answer', 'time'], ...rows]));
}

const newExamples = `
Examples:
  npx h2h3 question new 'Is HTTP/3 from nginx slower?' --thread nginx/nginx#1712

It works in a checkout: a question is a plan file in src/app/presets/ and a line in the registry there.`;

export const addQuestionCommand: AddCommand = (program, context) => {
  program
    .command('question')
    .description('add a question that was asked in public')
    .addHelpText('after', newExamples)
    .command('new')
    .description('make the skeleton of a question: its plan, its line in the registry, its entry in the page')
    .argument('<sentence>', 'the question, with its question mark')
    .requiredOption('--thread <owner/repository#number>', 'the thread in which it was asked')
    .option('--id <name>', 'its name (default: after the thread)')
    .action(async (asks: string, { thread, id }: { readonly thread: string; readonly id?: string }) => {
      const { newQuestion } = await import('../../app/findings/new-question.ts');
      const made = await newQuestion({ asks, thread, id }, context);
      context.progress.clear();
      made.files.forEach((file) => context.print(`written: ${givenPath(file)}`));
      context.print(`Next: write its plan, then npx h2h3 plan question-${made.id}`);
    });
};
