/** An audience that somebody published, for plans without figures of their own. */
export interface ReadyAudience {
  /** What `--audience` takes in place of a file. */
  readonly id: string;
  readonly title: string;
  /** Where its figures come from, and what they are: a sentence without its full stop. */
  readonly source: string;
  /** As lines of a file. */
  readonly lines: readonly string[];
}
