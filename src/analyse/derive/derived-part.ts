/** What one part of the derivation yields: plain metrics by name, and what a reader must know about them. */
export interface DerivedPart {
  /** Null: could not be measured; then a warning says why. */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly warnings: readonly string[];
}
