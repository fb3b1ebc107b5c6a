import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { filesOfScript } from './text-of-script.ts';

/** Why a script, or a module of its own, would fail as soon as it is loaded. */
export interface ImportFault {
  /** A sentence without its full stop. */
  readonly reason: string;
  readonly next: string;
}

interface ImportLine {
  /** `require` finds files without their ending. */
  readonly kind: 'import' | 'require';
  /** What is imported, as it is written; empty of an import for its effects. */
  readonly names: string;
  readonly from: string;
}

/** An import or re-export at the begin of a line that is left when types are taken away. */
const importLines =
  /^[ \t]*(?:import|export)\s+(?!type\b)(?:(?<names>[\w$*{}\s,]+?)\s*from\s*)?['"](?<from>[^'"\n]+)['"]/gm;
const requireLines =
  /^[ \t]*(?:const|let|var)\s+(?<names>[^=;]+?)\s*=\s*require\(\s*['"](?<from>[^'"\n]+)['"]\s*\)/gm;
const ownModule = 'h2h3/journey';
const playwrightTests: readonly string[] = ['@playwright/test', 'playwright/test'];

function importsIn(text: string): ImportLine[] {
  const code = text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, '');
  const found = ({ groups }: RegExpExecArray, kind: ImportLine['kind']): ImportLine => ({
    kind,
    names: groups?.['names'] ?? '',
    from: groups?.['from'] ?? '',
  });
  return [
    ...[...code.matchAll(importLines)].map((line) => found(line, 'import')),
    ...[...code.matchAll(requireLines)].map((line) => found(line, 'require')),
  ];
}

/** `lodash` of `lodash/fp`, `@a/b` of `@a/b/c`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Whether a package is found from a folder, as Node looks for it; a package may name itself. */
function isInstalled(name: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', name))) return true;
  const own = join(folder, 'package.json');
  const named = new RegExp(`"name"\\s*:\\s*"${RegExp.escape(name)}"`);
  if (existsSync(own) && named.test(readFileSync(own, 'utf8'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(name, parent);
}

/** What hinders this import; null: nothing that is known before it is loaded. */
function faultOf({ kind, names, from }: ImportLine, file: string): ImportFault | null {
  const who = basename(file);
  if (from === ownModule || from.startsWith('#') || isBuiltin(from)) return null;
  const ofPlaywright = playwrightTests.includes(from);
  if (ofPlaywright && /(?<!type\s)\btest\b/.test(names))
    return {
      reason: `${who} imports test from ${from}, and such a test runs in Playwright's own runner alone`,
      next: `Import it from h2h3/journey: import { test, expect } from '${ownModule}' (npx h2h3 help journeys).`,
    };
  if (/^\.{0,2}\//.test(from)) {
    const target = resolve(dirname(file), from.replace(/[?#].*$/, ''));
    if (kind === 'require' || statSync(target, { throwIfNoEntry: false })?.isFile() === true) return null;
    const ended = ['.ts', '.js', '.mjs', '.mts'].find((ending) => existsSync(target + ending));
    return {
      reason: `${who} imports ${from}, and there is no such file`,
      next: ended === undefined ? 'Correct its path.' : `Write its ending: ${from}${ended}.`,
    };
  }
  if (/^[a-z]+:/i.test(from) || isInstalled(packageOf(from), dirname(file))) return null;
  return {
    reason: `${who} imports ${from}, which is not installed there`,
    next: ofPlaywright
      ? `Import it from ${ownModule} instead (npx h2h3 help journeys).`
      : `npm install ${packageOf(from)}`,
  };
}

/**
 * What a user's script would fail at when it is loaded, told by its imports and those of its own modules. Nothing of it is run.
 *
 * @returns null where nothing is known
 * @throws H2h3Error `bad-input` where the script cannot be read
 */
export function importFault(scriptFile: string): ImportFault | null {
  for (const [file, text] of filesOfScript(scriptFile))
    for (const line of importsIn(text)) {
      const fault = faultOf(line, file);
      if (fault !== null) return fault;
    }
  return null;
}
