/**
 * Why none of a manifest's representations can be played; undefined when one can. dash.js drops those that the browser
 * lacks a codec for without a word and then says that there are no streams.
 *
 * @param isTypeSupported `MediaSource.isTypeSupported`
 */
export function codecFault(manifest: string, isTypeSupported: (type: string) => boolean): string | undefined {
  const codecs = new Set([...manifest.matchAll(/\bcodecs="([^"]*)"/g)].map(([, codec]) => codec ?? ''));
  const types = [...codecs].map((codec) => `video/mp4; codecs="${codec}"`);
  if (types.length === 0 || types.some((type) => isTypeSupported(type))) return undefined;
  return `this browser cannot play ${types.join(' or ')}`;
}
