/** One line of `h2h3 doctor`. */
export interface DoctorRow {
  readonly item: string;
  /** `limited`: it works, but measurements are poorer for it. */
  readonly state: 'ok' | 'missing' | 'limited';
  /** Version, path or value; why not, when it is missing. */
  readonly found: string;
  /** What lacking it costs; given unless all is well. */
  readonly costs?: string;
  /** The command or the step that fixes it; given unless all is well or nothing can be done. */
  readonly fix?: string;
  /** Whether nothing runs without it. */
  readonly required: boolean;
}
