import { withoutSteering } from '../../src/core/model/steering-characters.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};

// XML 1.0 has no way to write these characters, not even escaped (https://www.w3.org/TR/xml/#charsets).
const unwritable =
  /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text safe in an attribute value and in element content. */
export function attribute(text: string): string {
  return withoutSteering(text.replace(unwritable, '\ufffd')).replace(
    /[&<>"'\n\t]/g,
    (character) => entities[character] ?? '',
  );
}
