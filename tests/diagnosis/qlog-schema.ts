import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The drafts that define qlog, in the order in which they build upon each other. */
const drafts = ['main-schema', 'quic-events', 'h3-events'] as const;

/** What the drafts define, and the types that it names. */
export interface QlogSchema {
  readonly cddl: string;
  readonly types: ReadonlySet<string>;
}

/**
 * The CDDL (RFC 8610) out of the drafts' sources, `draft-ietf-quic-qlog-*.md` of github.com/quicwg/qlog.
 *
 * @throws Error where a draft is not in the folder
 */
export function readSchema(folder: string): QlogSchema {
  const blocks = drafts.flatMap((draft) => {
    const file = join(folder, `draft-ietf-quic-qlog-${draft}.md`);
    if (!existsSync(file)) throw new Error(`${folder} has no draft-ietf-quic-qlog-${draft}.md`);
    return cddlIn(readFileSync(file, 'utf8'));
  });
  const cddl = forJson(blocks.join('\n'));
  return { cddl, types: new Set([...cddl.matchAll(/^([A-Z]\w*) =/gm)].map(([, name]) => name ?? '')) };
}

/** The blocks of CDDL in a Markdown text: they begin with `~~~ cddl`. */
export function cddlIn(markdown: string): string[] {
  return [...markdown.matchAll(/^~~~+ *cddl[^\n]*\n(.*?)^~~~/gms)].map(([, block]) => block ?? '');
}

/** JSON has one kind of number: a time of 5 ms is a float64 there, too (RFC 8610, appendix E). */
function forJson(cddl: string): string {
  return cddl.replaceAll(/\bfloat(?:16|32|64)\b/g, 'number');
}
