import { z } from 'zod';

export const notifiedOutcomeSchema = z.enum(['passed', 'worse', 'undecided', 'failed']);

/** What a night hands to its team. */
export const notificationSchema = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  outcome: notifiedOutcomeSchema,
  exitCode: z.number(),
  /** The outcome in words. */
  headline: z.array(z.string()),
  /** Every primary comparison in words. */
  sentences: z.array(z.string()),
  /** Where the report can be read: an address where the folder of runs is published, else a path. */
  report: z.string().nullable(),
  /** The same of the picture that shows the result. */
  picture: z.string().nullable(),
});
export type Notification = z.infer<typeof notificationSchema>;

export const messageFormats = ['json', 'slack', 'mattermost', 'discord', 'teams'] as const;
export type MessageFormat = (typeof messageFormats)[number];

const when = z.array(notifiedOutcomeSchema).min(1).optional();

/** One line of `--notify FILE`. */
export const notifyTargetSchema = z.union([
  z.strictObject({
    /** An https address, or a reference to one: most are as secret as a password. */
    webhook: z.string().min(1),
    format: z.enum(messageFormats).default('json'),
    when,
  }),
  z.strictObject({
    /** A program and its arguments; it gets the notification as JSON on its standard input. */
    command: z.array(z.string().min(1)).min(1),
    when,
  }),
]);
export type NotifyTarget = z.infer<typeof notifyTargetSchema>;

export const notifyFileSchema = z.strictObject({
  /** Where the folder of runs can be read, for links. */
  publishedAt: z.url().optional(),
  notify: z.array(notifyTargetSchema).min(1),
});
export type NotifyFile = z.infer<typeof notifyFileSchema>;
