import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The drafts that define qlog, in the order in which they build upon each other. */
const drafts = ['main-schema', 'quic-events', 'h3-events'] as const;

/** What the drafts define, as they write it, and the types that it names. */
export interface QlogSchema {
  readonly cddl: string;
  readonly types: ReadonlySet<string>;
}

/**
 * The CDDL (RFC 8610) out of the drafts' sources, `draft-ietf-quic-qlog-*.md` of github.com/quicwg/qlog, whose blocks of it begin
 * with `~~~ cddl`.
 *
 * @throws Error where a draft is not in the folder
 */
export function readSchema(folder: string): QlogSchema {
  const texts = drafts.map((draft) => {
    const name = readdirSync(folder).find((file) => file === `draft-ietf-quic-qlog-${draft}.md`);
    if (name === undefined) throw new Error(`${folder} has no draft-ietf-quic-qlog-${draft}.md`);
    return readFileSync(join(folder, name), 'utf8');
  });
  const cddl = texts.flatMap(cddlIn).join('\n');
  return { cddl, types: new Set([...cddl.matchAll(/^([A-Z]\w*) =/gm)].map(([, name]) => name ?? '')) };
}

/** The blocks of CDDL in a Markdown text. */
export function cddlIn(markdown: string): string[] {
  return [...markdown.matchAll(/^~~~+ *cddl[^\n]*\n(.*?)^~~~/gms)].map(([, block]) => block ?? '');
}

/** `recovery:metrics_updated` is `QUICRecoveryMetricsUpdated`, `http3:frame_parsed` is `H3FrameParsed`; undefined: the drafts have none. */
export function typeOfEvent(name: string, types: ReadonlySet<string>): string | undefined {
  const [category = '', event = ''] = name.split(':');
  const bare = event.replaceAll('_', '');
  const prefixes = /^(http|h3)/.test(category) ? ['h3', 'http3', 'http'] : ['quic', 'quicrecovery', ''];
  const wanted = prefixes.map((prefix) => `${prefix}${bare}`.toLowerCase());
  return [...types].find((type) => wanted.includes(type.toLowerCase()));
}
