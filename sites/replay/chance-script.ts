import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** Evaluated before every other script of a document or worker, it settles time and chance for it. */
export function chanceScript(epochMs: number): string {
  const source = readFileSync(new URL('page/deterministic.ts', import.meta.url), 'utf8');
  const script = stripTypeScriptTypes(source).replaceAll(/^export /gm, '');
  // It hands its own text on to the workers that the page makes.
  return `(function settle(epochMs) { ${script}
makeDeterministic(epochMs, '(' + settle.toString() + ')(' + epochMs + ');\\n'); })(${epochMs});`;
}
