import type { ObjectType } from './site-shape.ts';

/**
 * How the page makes the browser ask for an object.
 * - `tag`: an element of the document's own HTML.
 * - `element`: an element that the runtime adds when its cause is done.
 * - `style`: a rule of a style sheet (font face, background image) that a new element makes apply.
 * - `fetch`: the fetch function.
 */
export type LoadMeans = 'document' | 'tag' | 'element' | 'style' | 'fetch';

export interface ReplicaObject {
  /** Row of the shape; also the object's name. */
  readonly row: number;
  readonly type: ObjectType;
  /** Index of its host within the page. */
  readonly host: number;
  /** Path on its host, with a leading slash. */
  readonly path: string;
  readonly means: LoadMeans;
  /** Kind of its bytes. */
  readonly body: BodyKind;
  readonly wireBytes: number;
  readonly rawBytes: number;
  /** Row that must be done first; null: only its wave counts. */
  readonly cause: number | null;
  readonly wave: number;
  /** Of a script: whether it stops the parser, as in the recording. */
  readonly blocking: boolean;
  /** Of a script: how long it keeps the main thread of a whole CPU busy when it runs. 0: not at all. */
  readonly workMs: number;
}

export type BodyKind = 'html' | 'css' | 'js' | 'json' | 'svg' | 'png' | 'gif' | 'ttf' | 'bytes';

/** Host name of a host index. */
export function replicaHost(domain: string, host: number): string {
  return `${host === 0 ? 'www' : `h${host}`}.${domain}`;
}
