import { jsonOf } from '../../src/core/model/bounded-json.ts';

/** Programs of others write logs, and kill cuts them: what has another form than it should is taken for absent. */
export type Fields = Readonly<Record<string, unknown>>;

/** Stands before each record of a log in sequence (RFC 7464). */
export const recordSeparator = '\u001e';

/** Empty for what is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Empty for what is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The record of a line; empty for one that was cut short. */
export function qlogRecordOf(line: string): Fields {
  return fieldsOf(jsonOf(line.replace(recordSeparator, '')));
}
