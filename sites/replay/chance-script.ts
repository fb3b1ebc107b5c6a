import { pageModule } from '../../src/core/system/module-file.ts';

/** Evaluated before every other script of a document or worker, it settles time and chance for it. */
export function chanceScript(epochMs: number): string {
  const script = pageModule('./page/deterministic.ts', import.meta.url).replaceAll(/^export /gm, '');
  // It hands its own text on to the workers that the page makes.
  return `(function settle(epochMs) { ${script}
makeDeterministic(epochMs, '(' + settle.toString() + ')(' + epochMs + ');\\n'); })(${epochMs});`;
}
