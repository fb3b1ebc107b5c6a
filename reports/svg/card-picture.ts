/** Pixels of the picture for one of the drawing: sharp on screens of twice the density. */
const zoom = 2;

type Resvg = typeof import('@resvg/resvg-js').Resvg;

/** The renderer is a program for each kind of machine; there are machines without one. */
async function loadRenderer(): Promise<Resvg | undefined> {
  try {
    return (await import('@resvg/resvg-js')).Resvg;
  } catch {
    return undefined; // said by the caller, who knows what it costs
  }
}

/**
 * A drawing as PNG, because comments on pull requests and chats show no SVG. Nothing where this machine has no font, as a
 * picture without its words would mislead, or no renderer.
 */
export async function cardPicture(svg: string): Promise<Uint8Array | undefined> {
  const Renderer = await loadRenderer();
  if (Renderer === undefined) return undefined;
  const font = { loadSystemFonts: true };
  const word = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="9"><text y="9">h2h3</text></svg>';
  if (new Renderer(word, { font }).getBBox() === undefined) return undefined;
  return new Renderer(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng();
}
