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
  /** Objects that end each wave together, and the blocking work in ms that follows. */
  readonly triggers: readonly (readonly number[])[];
  readonly spinsMs: readonly number[];
}
