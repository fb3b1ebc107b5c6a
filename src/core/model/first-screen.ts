import { z } from 'zod';

/** So many warnings stand on the first screen. */
export const maxFirstWarnings = 3;

/** The longest headline, in characters. */
export const maxHeadlineCharacters = 90;

/** `open`: not decided, or not known. */
export const toneSchema = z.enum(['better', 'worse', 'same', 'mixed', 'open']);
export type Tone = z.infer<typeof toneSchema>;

/** One short answer next to the headline: what users get, what it costs in CPU, whether the run can be trusted. */
export const chipSchema = z.object({
  about: z.enum(['users', 'cpu', 'trust']),
  tone: toneSchema,
  text: z.string(),
});
export type Chip = z.infer<typeof chipSchema>;

/** What a reader gets in five seconds, the same in report, picture, chat, comment, terminal and print. */
export const firstScreenSchema = z.object({
  /** One sentence, at most `maxHeadlineCharacters` characters: first what is decided. */
  headline: z.string(),
  /** What the headline leaves out: what is not decided, and how far it holds. May be empty. */
  detail: z.string(),
  chips: z.array(chipSchema),
  /** The comparisons of the picture from top to bottom: places in the summary's list. */
  picture: z.array(z.number().int().nonnegative()),
  /** Warnings that may change a verdict, at most three, the gravest first; absent without any. The summary has all. */
  warnings: z.array(z.string()).optional(),
});
export type FirstScreen = z.infer<typeof firstScreenSchema>;
