/** What the runtime must know of the page; columns have one entry an object. */
export interface ReplicaManifest {
  readonly domain: string;
  /** One letter an object, see `loadLetter`. */
  readonly letters: string;
  /** Wave in base 36; `-` for an object that the document's HTML asks for. */
  readonly waves: string;
  /** Host index, and object that must be done before, in base 36, comma separated; empty where not needed. */
  readonly hosts: string;
  readonly causes: string;
  /** Objects that end each wave together. */
  readonly triggers: readonly (readonly number[])[];
  /** Turns of work that a whole CPU does in a millisecond. */
  readonly turnsPerMs: number;
}
