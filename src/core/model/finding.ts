/** A standing comparison that is measured again from time to time. */
export interface Finding {
  /** As `--only` names it, and its place in the page. */
  readonly id: string;
  /** The plan that it is measured by. */
  readonly preset: string;
  readonly title: string;
  readonly question: string;
  /** `comparisons`: the arms against each other; `recording`: each arm's recorded trials against its timed ones. */
  readonly shows: 'comparisons' | 'recording';
  /** How changes are written: as the metric is compared, most in percent, or in the metric's own unit. */
  readonly changesIn: 'form' | 'unit';
}
