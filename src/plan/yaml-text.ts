import { LineCounter, parseDocument, type Document } from 'yaml';
import { H2h3Error, messageOf } from '../core/model/errors.ts';

export interface YamlText {
  readonly document: Document;
  readonly counter: LineCounter;
  readonly value: unknown;
}

/** Far more than any plan or list of margins; what it takes to read grows faster than the text. */
const maxTextCharacters = 16 * 1024 * 1024;

/**
 * Reads YAML or JSON as people write it. Aliases are resolved only as far as no small text becomes a huge value.
 *
 * @throws H2h3Error `bad-input` naming file, line, what was expected and what was got
 */
export function readYaml(text: string, file: string): YamlText {
  const refuse = (line: number, message: string, cause?: unknown): H2h3Error => {
    const got = text.split('\n', line)[line - 1]?.trim().slice(0, 200) ?? '';
    return new H2h3Error('bad-input', `${file}:${line}: not valid YAML: ${message}`, {
      context: { file, line, expected: 'YAML', got },
      cause,
    });
  };
  if (text.length > maxTextCharacters) throw refuse(1, `longer than ${maxTextCharacters} characters`);
  const counter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: 'error' });
    const [fault] = document.errors;
    if (fault) throw refuse(counter.linePos(fault.pos[0]).line, fault.message);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { document, counter, value };
  } catch (thrown) {
    if (thrown instanceof H2h3Error) throw thrown;
    // Too many aliases, or nested deeper than the stack is.
    throw refuse(1, messageOf(thrown), thrown);
  }
}

/** A text or a number as it was written; null for a list, a group of values or nothing, which has no words. */
export function writtenWords(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
