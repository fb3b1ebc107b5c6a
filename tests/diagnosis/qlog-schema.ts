import { spawnSync } from 'node:child_process';
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
 * The CDDL (RFC 8610) out of the drafts' sources, `draft-ietf-quic-qlog-*.md` of github.com/quicwg/qlog: of a version, as a clone
 * has it under its tag, or as they lie in the folder.
 *
 * @throws Error where a draft is not there
 */
export function readSchema(folder: string, version?: string): QlogSchema {
  const cddl = forJson(drafts.flatMap((draft) => cddlIn(readDraft(folder, draft, version))).join('\n'));
  return { cddl, types: new Set([...cddl.matchAll(/^([A-Z]\w*) =/gm)].map(([, name]) => name ?? '')) };
}

function readDraft(folder: string, draft: (typeof drafts)[number], version?: string): string {
  const name = `draft-ietf-quic-qlog-${draft}.md`;
  if (version === undefined) {
    const file = join(folder, name);
    if (!existsSync(file)) throw new Error(`${folder} has no ${name}`);
    return readFileSync(file, 'utf8');
  }
  // All three of the time at which the events were published.
  const place = `draft-ietf-quic-qlog-quic-events-${version}:${name}`;
  const { status, stdout } = spawnSync('git', ['-C', folder, 'show', place], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  if (status !== 0) throw new Error(`${folder} is no clone with ${place}`);
  return stdout;
}

/**
 * The version of the drafts that a log follows: the one that it names, or the last of those that define `qlog_version` 0.3 with
 * its names of events; undefined where it says neither.
 */
export function versionOf(file: unknown, eventNames: readonly string[]): string | undefined {
  const named = /urn:ietf:params:qlog:events:quic-(\d+)/.exec(JSON.stringify(file))?.[1];
  if (named !== undefined) return named.padStart(2, '0');
  if ((file as { qlog_version?: unknown } | null)?.qlog_version !== '0.3') return undefined;
  return eventNames.some((name) => name.startsWith('transport:')) ? '04' : '05';
}

/** The blocks of CDDL in a Markdown text: they begin with `~~~ cddl`. */
export function cddlIn(markdown: string): string[] {
  return [...markdown.matchAll(/^~~~+ *cddl[^\n]*\n(.*?)^~~~/gms)].map(([, block]) => block ?? '');
}

/** JSON has one kind of number: a time of 5 ms is a float64 there, too (RFC 8610, appendix E). */
function forJson(cddl: string): string {
  return cddl.replaceAll(/\bfloat(?:16|32|64)\b/g, 'number');
}
