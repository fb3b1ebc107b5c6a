/** What can be chosen anew whenever a run is resumed. */
export interface RunConditions {
  /** Begin no block that would end after this time, ms. Default: that of the preset or plan file, else no limit. */
  readonly budgetMs?: number | undefined;
  /** Begin no block in which an arm would come to have loaded more than so many bytes, as its link counts them. Default: no limit. */
  readonly maxArmBytes?: number | undefined;
  /** Port of the server, TCP and UDP. Default: 8443 or the next free one. */
  readonly port?: number | undefined;
  /** Show the browser windows. Default: no. */
  readonly headed?: boolean | undefined;
  /** An undecided gate or budget is a result of its own (exit code 5). Default: as the run was begun, else of a gate yes, of a budget no. */
  readonly strict?: boolean | undefined;
  /** What records call this machine. Default: its own name. */
  readonly host?: string | undefined;
  /** What resumes the run after it was stopped, in words. Default: its `run --resume`; null: nothing that is said. */
  readonly resumedBy?: string | null | undefined;
}
