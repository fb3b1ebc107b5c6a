import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isQuestionsPage } from '../../../reports/markdown/questions-page.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { questionSchema, type AskedQuestion } from '../../core/model/question.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { parsePlanDocument } from '../../plan/parse-plan-file.ts';
import type { AppContext } from '../app-context.ts';
import { askedQuestions, questionPreset } from '../presets/registry.ts';
import { readOwnPage } from './measure-standing.ts';
import { questionsPageText } from './questions.ts';

export interface NewQuestionOptions {
  /** One sentence that ends with a question mark. */
  readonly asks: string;
  /** Of GitHub: `nginx/nginx#1712`. */
  readonly thread: string;
  /** Its name. Default: after the thread. */
  readonly id?: string | undefined;
}

export interface NewQuestion {
  readonly id: string;
  /** The plan, the registry that lists it, and the page. */
  readonly files: readonly string[];
}

/**
 * Makes the skeleton of a question in a checkout: a plan that can be run, its line in the registry, its entry in the page. The tests of all
 * questions then try it too.
 *
 * @throws H2h3Error `usage` for a sentence that asks nothing, a thread of another form, or a name that is taken
 */
export async function newQuestion(
  { asks, thread, id = idOf(thread) }: NewQuestionOptions,
  { projectDir }: AppContext,
): Promise<NewQuestion> {
  const folder = join(projectDir, 'src', 'app', 'presets');
  const registry = `${folder}/registry.ts`;
  if (!existsSync(registry))
    throw new H2h3Error(
      'usage',
      'questions are added in a checkout of h2h3, and this is an installed package',
      {
        next: 'Clone the repository.',
      },
    );
  requireFields(asks, thread);
  const preset = questionPreset(id);
  const file = join(folder, `${preset}.yaml`);
  requireNewName(id, file);
  const page = join(projectDir, 'docs', 'questions.md');
  readOwnPage(page, isQuestionsPage);
  const text = skeleton({ asks, thread, preset });
  // What is written is a plan: else nothing is.
  const { question } = parsePlanDocument(text, file);
  if (question === undefined) throw new Error('a skeleton without a question');
  const asked: AskedQuestion = { ...question, id, preset };
  writeWhole(file, text);
  writeWhole(registry, withPreset(await readFile(registry, 'utf8'), preset));
  writeWhole(page, questionsPageText([...askedQuestions(), asked]));
  return { id, files: [file, registry, page] };
}

/** `nginx/nginx#1712` is `nginx-1712`. */
function idOf(thread: string): string {
  return thread
    .slice(thread.indexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}

function requireFields(asks: string, thread: string): void {
  const { shape } = questionSchema;
  const named = [
    ['question', 'asks', asks],
    ['thread', 'thread', thread],
  ] as const;
  for (const [name, field, got] of named) {
    const parsed = shape[field].safeParse(got);
    if (parsed.success) continue;
    throw new H2h3Error('usage', `"${got}" is no ${name}`, {
      context: { expected: parsed.error.issues[0]?.message ?? '', got },
      next: "npx h2h3 question new 'Is HTTP/3 from nginx slower?' --thread nginx/nginx#1712",
    });
  }
}

const idForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function requireNewName(id: string, file: string): void {
  if (!idForm.test(id))
    throw new H2h3Error('usage', `"${id}" cannot name a question`, {
      context: { expected: 'small letters, digits and single hyphens, beginning with a letter', got: id },
    });
  if (existsSync(file) || askedQuestions().some((known) => known.id === id))
    throw new H2h3Error('usage', `there is a question called ${id}`, { next: 'Name it with --id.' });
}

/** A line at the end of the list of presets. */
function withPreset(registry: string, preset: string): string {
  const lines = registry.split('\n');
  const end = lines.indexOf(
    '];',
    lines.findIndex((line) => line.includes('presetIds: readonly string[] = [')),
  );
  lines.splice(end, 0, `  '${preset}',`);
  return lines.join('\n');
}

/** In YAML between single quotes. */
const inYaml = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function skeleton({
  asks,
  thread,
  preset,
}: Pick<NewQuestionOptions, 'asks' | 'thread'> & { readonly preset: string }): string {
  return `# A skeleton: write what the thread says, and a plan that would show it, before it is run.

name: ${preset}
title: ${inYaml(asks)}
workloads: [download-1mb]
networks: [cable]
arms: [h2, h3, h3+server=nginx@1.30]
compare: [[h2, h3], [h3, h3+server=nginx@1.30]]
primary: { download: throughputMbps }
repetitions: 12
recordedBlocks: 0

question:
  asks: ${inYaml(asks)}
  thread: ${thread}
  read: false
  saw: Not written yet.
  theirs: Not written yet.
  ours: Caddy and nginx 1.30 over the network cable.
  differs: [Not written yet.]
  decides:
    compare: [h2, h3]
    metric: throughputMbps
    expects: worse
    least: { percent: 20 }
  tries:
    - what: another server, nginx 1.30
      compare: [h3, h3+server=nginx@1.30]
      metric: throughputMbps
      expects: better
      least: { percent: 20 }
      cause: The server decides how fast its HTTP/3 is.
      fix: Another server.
`;
}
