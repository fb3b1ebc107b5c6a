import { readFileSync } from 'node:fs';
import { shapeFromLine } from './shape-lines.ts';
import type { SiteShape } from './site-shape.ts';

let shipped: readonly SiteShape[] | undefined;

/** The hundred shapes that ship (`shapes.jsonl`; where they come from stands in `shapes.md`). */
export function shippedShapes(): readonly SiteShape[] {
  shipped ??= readFileSync(new URL('shapes.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(shapeFromLine);
  return shipped;
}
