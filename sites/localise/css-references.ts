import { needsNoServer, type RewriteReference } from './reference.ts';

const texts = String.raw`"([^"]*)"|'([^']*)'|`;
/** One pass over `@import "x"`, `@import url(x)` and `url(x)`, so that nothing is rewritten twice. */
const references = new RegExp(
  // Nothing stands alone between brackets: many spaces, which it could share out with them, would take time by their square.
  String.raw`(@import)\s+(?:url\(\s*)?(?:${texts}([^"')\s;]*))\s*\)?|url\(\s*(?:${texts}([^"')\s;]+))\s*\)`,
  'g',
);

/** Rewrites `@import` and `url(…)` of a style sheet, a style element or a style attribute. */
export function rewriteCss(css: string, rewrite: RewriteReference): string {
  return css.replaceAll(references, (whole, atImport: unknown, ...groups: unknown[]) => {
    const reference = groups.slice(0, 6).find((group): group is string => typeof group === 'string') ?? '';
    if (needsNoServer(reference)) return whole;
    const isImport = typeof atImport === 'string';
    const changed = rewrite(reference, isImport ? 'style' : 'other');
    if (changed === undefined) return whole;
    return isImport
      ? `@import url(${escaped(changed ?? 'data:text/css,')})`
      : `url(${escaped(changed ?? 'data:,')})`;
  });
}

/** Percent-encodes what an unquoted `url()` may not hold. */
function escaped(reference: string): string {
  return reference.replaceAll(/["'() \\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
