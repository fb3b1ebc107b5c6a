import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readInput } from '../../src/core/system/read-input.ts';

/** A module next to the script, in an import, an export, or a call of `import` or `require`. */
const ownModules = /\b(?:from|import|require)\s*\(?\s*['"`](\.{1,2}\/[^'"`]+)['"`]/g;

/**
 * A user's script and the modules of its own that it imports, each once: text by path.
 *
 * @throws H2h3Error `bad-input` where the script cannot be read
 */
export function filesOfScript(scriptFile: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const waiting = [resolve(scriptFile)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (texts.has(file)) continue;
    const text = readInput(file, { what: 'a script' }).toString('utf8');
    texts.set(file, text);
    const folder = dirname(file);
    const named = [...text.matchAll(ownModules)].map(([, name = '']) => resolve(folder, name));
    // One that is not there is for the script itself to fail at.
    waiting.push(...named.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true));
  }
  return texts;
}

/** The text of all of them: what reads a secret may stand in any. @throws H2h3Error as `filesOfScript` */
export function textOfScript(scriptFile: string): string {
  return [...filesOfScript(scriptFile).values()].join('\n');
}
