/**
 * Why none of a manifest's pictures, or its sound, can be played; undefined when one of each can. dash.js drops those that the browser
 * lacks a codec for without a word and then says that there are no streams.
 *
 * @param isTypeSupported `MediaSource.isTypeSupported`
 */
export function codecFault(manifest: string, isTypeSupported: (type: string) => boolean): string | undefined {
  const sets = manifest.split('<AdaptationSet').map((set) => {
    const [, mimeType = 'video/mp4'] = /\bmimeType="([^"]*)"/.exec(set) ?? [];
    const codecs = new Set([...set.matchAll(/\bcodecs="([^"]*)"/g)].map(([, codec]) => codec ?? ''));
    return [...codecs].map((codec) => `${mimeType}; codecs="${codec}"`);
  });
  const lacking = sets.find((types) => types.length > 0 && !types.some((type) => isTypeSupported(type)));
  return lacking === undefined ? undefined : `this browser cannot play ${lacking.join(' or ')}`;
}
