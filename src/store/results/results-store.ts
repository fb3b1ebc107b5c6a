/**
 * Where machines that share a run leave what they measured: named byte strings, written once and whole. It must be reachable
 * from all of them, and nothing else of a run needs to be.
 */
export interface ResultsStore {
  /** How people name it. */
  readonly place: string;
  /**
   * Writes a whole object or nothing. With `ifAbsent` an object that is there stays, and the answer is false: of
   * several that ask at once, one is told true.
   *
   * @throws H2h3Error `storage` when it is full or cannot be written
   */
  put(key: string, content: string | Uint8Array, options?: { readonly ifAbsent?: boolean }): Promise<boolean>;
  /**
   * Null where there is none.
   *
   * @param maxBytes default: `largestObjectBytes`
   * @throws H2h3Error `bad-input` for what is no object of ours: a folder, a link, a pipe, one that is too large
   */
  get(key: string, maxBytes?: number): Promise<Uint8Array | null>;
  /** Keys that begin with a prefix, which ends with `/`. */
  list(prefix: string): Promise<string[]>;
  close(): void;
}

/** No artifact of a trial is near it; what is larger was made to fill the memory. */
export const largestObjectBytes = 1024 * 1024 * 1024;
