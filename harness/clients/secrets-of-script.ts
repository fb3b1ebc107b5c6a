import { existsSync } from 'node:fs';
import { secretVariables, type NamedSecret } from '../../src/core/model/secrets.ts';
import { textOfScript } from './text-of-script.ts';

/** Addresses, names of hosts and paths, by which a script says where it goes. */
const isPlace = (value: string): boolean =>
  /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+(?::\d+)?$)/.test(value) ||
  (value.startsWith('/') && existsSync(value));

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Variables that a user's script, or a module of its own that it imports, names, as `process.env.PIN`, without asking for them by
 * `secret`. @throws H2h3Error as `textOfScript`
 */
export function variablesOfScript(scriptFile: string, environment: Variables): NamedSecret[] {
  return secretVariables(environment, textOfScript(scriptFile)).filter(({ value }) => !isPlace(value));
}

/** Their values. */
export function secretsOfScript(scriptFile: string, environment: Variables): string[] {
  return variablesOfScript(scriptFile, environment).map(({ value }) => value);
}

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`)';
/** `page.type('#password', 'hunter-2')`, `locator.fill('hunter-2')`; whichever is last is typed. */
const typed = new RegExp(
  String.raw`\.(?:type|sendCharacter|fill)\(\s*(?:${literal}\s*,\s*)?(?<text>${literal})`,
  'g',
);

/** What a script types, as far as it is written in it. @throws H2h3Error as `textOfScript` */
export function textsTypedBy(scriptFile: string): NamedSecret[] {
  const text = textOfScript(scriptFile);
  const written = [...text.matchAll(typed)].map(({ groups }) => groups?.['text']?.slice(1, -1) ?? '');
  return written.map((value) => ({ name: `what ${scriptFile} types`, value }));
}
