import { withoutSteering } from '../../src/core/model/steering-characters.ts';
import { isNumber, missing } from '../format/numbers.ts';

/** Text that is already safe to stand in a page; everything else is escaped by `markup`. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand between the pieces of a template; null, undefined, false and empty text leave nothing. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// A page must not hold these: they end nothing, show nothing, and some viewers refuse a file with them.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Text made safe for element content and for quoted attribute values. */
export function escapeHtml(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').replace(controlCharacters, '\ufffd');
  return withoutSteering(lines).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function insert(value: Insert): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return isNumber(value) ? String(value) : missing;
  if (value === null || value === undefined || value === false) return '';
  return value.map(insert).join('');
}

/**
 * Not called `html`: formatters take such templates for pages and change their white space, which the policy's
 * hashes do not forgive.
 *
 * Template whose inserts are escaped unless they are `Markup` themselves. Attribute values must stand in
 * double quotes.
 */
export function markup(pieces: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  // The indentation of the source is no part of the page.
  const [first = '', ...rest] = pieces.map((piece) => piece.replace(/\n\s+/g, '\n'));
  return new Markup(rest.reduce((text, piece, index) => text + insert(inserts[index]) + piece, first));
}

/**
 * A JavaScript value as JSON that may stand in a `<script type="application/json">`: `<` is escaped, so nothing in
 * it can end the element or open a comment.
 */
export function jsonForScript(value: unknown): Markup {
  return new Markup(
    JSON.stringify(value)
      .replaceAll('<', '\\u003c')
      .replaceAll('>', '\\u003e')
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029'),
  );
}
