/** What a reference loads; decides what stands in its place when it leads nowhere. */
export type ReferenceUse = 'style' | 'script' | 'module' | 'image' | 'frame' | 'other';

/**
 * Decides about one reference of a file: its new text, `null` when nothing is served under it (the
 * caller removes or blanks it), or `undefined` to leave it as it is.
 */
export type RewriteReference = (reference: string, use: ReferenceUse) => string | null | undefined;

/** Whether a reference asks no server: an anchor, inline data, a script or mail address. */
export function needsNoServer(reference: string): boolean {
  return reference === '' || /^(#|data:|blob:|about:|javascript:|mailto:|tel:)/i.test(reference);
}

/** Stands in for an image that is not served: one transparent pixel, so that no error event fires. */
export const blankImage = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
