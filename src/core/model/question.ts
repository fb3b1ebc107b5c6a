import { z } from 'zod';
import type { PublishedFigure, PublishedResult } from './published.ts';
import { publishedFigureSchema } from './published.ts';
import type { StudyRun } from './study-run.ts';

/** A change that is looked for: between which arms, where, in what, and how large it must be at least. */
const changeShape = {
  ...publishedFigureSchema.pick({
    metric: true,
    workloads: true,
    networks: true,
    servers: true,
    clients: true,
    pool: true,
    against: true,
  }).shape,
  compare: publishedFigureSchema.shape.compare.unwrap(),
  expects: z.enum(['better', 'worse']),
  least: publishedFigureSchema.shape.least.unwrap(),
} as const;

/** Something that is changed to see whether the difference follows. */
const questionTrySchema = z.strictObject({
  /** What is changed, such as `a stream buffer of 8 MB`. */
  what: z.string().min(1),
  ...changeShape,
  /** The cause, a sentence, which the page names only if the change comes out as expected. */
  cause: z.string().min(1),
  /** What to do about it, a sentence, likewise. */
  fix: z.string().min(1),
});
export type QuestionTry = z.infer<typeof questionTrySchema>;

/** A question that somebody asked in public, with the rule that decides its answer. It is a part of a plan file. */
export const questionSchema = z
  .strictObject({
    /** One sentence. */
    asks: z.string().regex(/^[A-Z].*\?$/s, 'a sentence that ends with a question mark'),
    /** An issue or a pull request of GitHub: `nginx/nginx#1712`. */
    thread: z
      .string()
      .regex(/^[\w.-]+\/[\w.-]+#[1-9]\d*$/, 'owner, repository and number, such as nginx/nginx#1712'),
    /** Day on which it was asked; left out where that is not known. */
    asked: z.iso.date().optional(),
    /** Whether the thread was read, its opening at least; otherwise its subject alone is known. */
    read: z.boolean(),
    /** What its author saw, in words of this project; of a thread that was not read its subject. */
    saw: z.string().min(1),
    /** Machines, network and software of its author. */
    theirs: z.string().min(1),
    /** The same of this plan. */
    ours: z.string().min(1),
    /** In what the two differ, as far as it may turn the answer, a sentence each. */
    differs: z.array(z.string().min(1)).min(1),
    /** What the thread itself takes for the cause, where this plan tries it in part or not at all: sentences. */
    suspects: z.string().min(1).optional(),
    /** Why the plan is near the thread and no answer to it: sentences; left out where it is one. */
    related: z.string().min(1).optional(),
    /** What its author saw, as a change that this plan would show. */
    decides: z.strictObject(changeShape),
    /** What is tried to find the cause. */
    tries: z.array(questionTrySchema).default([]),
    /** What it needs that this project has not, a clause; left out: nothing. */
    needs: z.string().min(1).optional(),
  })
  .refine(({ needs, tries }) => needs !== undefined || tries.length > 0, {
    message: 'a question that can be measured has something that is tried to find the cause',
    path: ['tries'],
  })
  .refine(({ tries }) => new Set(tries.map(({ what }) => what)).size === tries.length, {
    message: 'each try has a name of its own',
    path: ['tries'],
  });
export type Question = z.infer<typeof questionSchema>;

/** One of those that ship: the rule, and the plan that measures it. */
export interface AskedQuestion extends Question {
  /** As `--only` names it. */
  readonly id: string;
  /** Of the plan. */
  readonly preset: string;
}

/** What a claim of a question is called among the published results of its run. */
const askedName = 'the question';

/** The change that a try expects, without its words. */
const changeOf = (of: QuestionTry): Question['decides'] => ({
  metric: of.metric,
  workloads: of.workloads,
  networks: of.networks,
  servers: of.servers,
  clients: of.clients,
  pool: of.pool,
  compare: of.compare,
  against: of.against,
  expects: of.expects,
  least: of.least,
});

/**
 * The claims of a question as published results: what decides it, and each try after it. So plan, report and kept run have them as they
 * were before the run, and the rules of the studies judge them.
 */
export function claimsOf({ thread, saw, theirs, decides, tries }: Question): PublishedFigure[] {
  const common = { study: thread, machine: theirs };
  return [
    { ...common, ...decides, experiment: askedName, figure: saw, source: thread },
    ...tries.map((each): PublishedFigure => ({
      ...common,
      ...changeOf(each),
      experiment: each.what,
      figure: 'not in the thread, an experiment of this project',
      source: 'the plan',
    })),
  ];
}

/** How a question came out, by the rule of its plan and the values of its kept run. */
export type QuestionOutcome =
  'reproduced' | 'not here' | 'not decided' | 'cannot be run here' | 'not measured yet';

/** A try with what came out of it. */
export interface TriedOut {
  readonly what: string;
  readonly cause: string;
  readonly fix: string;
  readonly result: PublishedResult;
  /** Whether the change is as large as expected, beyond chance. */
  readonly works: boolean;
}

export interface QuestionAnswer {
  readonly outcome: QuestionOutcome;
  /** Why it cannot be run here, or why a run that was kept does not count: a sentence without its full stop. */
  readonly reason?: string;
  /** What decides, with its figures; absent where nothing was measured. */
  readonly decides?: PublishedResult;
  readonly tries: readonly TriedOut[];
  /** The run that the answer is made of; absent where there is none that counts. */
  readonly run?: StudyRun;
}
