import { createHash } from 'node:crypto';
import { decodeBody } from '../archive/content-coding.ts';
import { headerOf, type Header } from '../archive/headers.ts';
import type { AnswerToSend } from './send-answer.ts';

/** A worker's script with another one in front of it, not compressed; as it is where it cannot be read. */
export async function withFirstScript(answer: AnswerToSend, script: string): Promise<AnswerToSend> {
  const { entry } = answer;
  const coding = headerOf(entry.headers, 'content-encoding') ?? '';
  const text = entry.status === 200 ? await decodeBody(answer.body, coding) : null;
  if (text === null) return answer;
  return { ...withoutCoding(answer), body: Buffer.concat([Buffer.from(`${script}\n`), text]) };
}

/** Names are longer than what could stand in a script for something else. */
const minNameCharacters = 3;
const calls = String.raw`\s*(?:\(|===|&&)`;
/** In which the call begins: what follows is what it is given. */
const callCharacters = 300;
/**
 * What a script that calls back begins with, but for the name: a comment against misuse, a test whether the name is known.
 * Each part can be read in one way, so that no text takes long.
 */
const beforeName = String.raw`(?:\s|;|typeof\b|window\.|/\*(?:[^*]|\*(?!/))*\*/)*`;

/**
 * A script that calls back by the name that it was asked for with (JSONP), for a page that names another one, not
 * compressed; as it is where it is none.
 *
 * @param asked query of the request
 */
export async function callingBack(answer: AnswerToSend, asked: string): Promise<AnswerToSend> {
  const { entry } = answer;
  const type = headerOf(entry.headers, 'content-type') ?? '';
  if (asked === entry.query || !/script|json/i.test(type) || entry.status !== 200) return answer;
  const names = new URLSearchParams(asked);
  const renamed = [...new URLSearchParams(entry.query)].flatMap(([key, recorded]) => {
    const wanted = names.get(key) ?? '';
    const areNames = [recorded, wanted].every((name) => /^[A-Za-z_$][\w$.]*$/.test(name));
    return areNames && recorded !== wanted && recorded.length >= minNameCharacters
      ? [{ recorded, wanted }]
      : [];
  });
  if (renamed.length === 0) return answer;
  const text = await decodeBody(answer.body, headerOf(entry.headers, 'content-encoding') ?? '');
  const start = text?.toString('latin1', 0, callCharacters) ?? '';
  const called = renamed.find(({ recorded }) =>
    new RegExp(`^${beforeName}${RegExp.escape(recorded)}${calls}`).test(start),
  );
  if (text === null || called === undefined) return answer;
  const name = new RegExp(`(?<![\\w$.])${RegExp.escape(called.recorded)}(?=${calls})`, 'g');
  const begun = Buffer.from(
    start.replaceAll(name, () => called.wanted),
    'latin1',
  );
  return { ...withoutCoding(answer), body: Buffer.concat([begun, text.subarray(start.length)]) };
}

function withoutCoding(answer: AnswerToSend): AnswerToSend {
  const { entry } = answer;
  const headers = entry.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
  return { ...answer, entry: { ...entry, headers } };
}

/** Where an answer leads its browser over plain http, which a replay has no server for: the same address over TLS. */
export function leadingOverTls(answer: AnswerToSend): AnswerToSend {
  return { ...answer, adapt: (headers) => headers.map(([name, value]) => [name, overTls(name, value)]) };
}

function overTls(name: string, value: string): string {
  if (/^location$/i.test(name) && /^http:/i.test(value) && URL.canParse(value))
    return new URL(value).href.replace(/^http:/, 'https:');
  return /^refresh$/i.test(name) ? value.replace(/(?<=[=,;\s'"])http:/i, 'https:') : value;
}

/** A document that names http addresses, where its browser would refuse or not find them: this asks for the same over TLS. */
export function upgradingRequests(answer: AnswerToSend): AnswerToSend {
  const { adapt } = answer;
  const upgrade: Header = ['content-security-policy', 'upgrade-insecure-requests'];
  return { ...answer, adapt: (headers) => [...(adapt?.(headers) ?? headers), upgrade] };
}

/** What browsers show as a document with scripts. */
const documentType = /^\s*(?:application\/xhtml\+xml|text\/(?:html|xml)|application\/xml)\s*(?:;|$)/i;

/** A page whose first script is this one, not compressed; as it is where it is none or cannot be read. */
export async function withFirstElement(answer: AnswerToSend, script: string): Promise<AnswerToSend> {
  const { entry } = answer;
  const type = headerOf(entry.headers, 'content-type') ?? '';
  const coding = headerOf(entry.headers, 'content-encoding') ?? '';
  const document =
    documentType.test(type) && entry.failure === null ? await decodeBody(answer.body, coding) : null;
  if (document === null) return answer;
  // It leaves the page as it was.
  const source = `${script};document.currentScript.remove();`;
  // Most replays change no page, and need no parser.
  const { beginDocument } = await import('./begin-document.ts');
  const begun = beginDocument(document, type, source);
  if (begun === null) return answer;
  const hash = `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
  const { adapt } = answer;
  return {
    ...withoutCoding(answer),
    body: begun.body,
    adapt: (headers) =>
      (adapt?.(headers) ?? headers).map(([name, value]): Header => {
        if (/^content-security-policy(-report-only)?$/i.test(name)) return [name, allowing(value, hash)];
        if (name.toLowerCase() !== 'content-type' || begun.charset === undefined) return [name, value];
        return [name, `${value}; charset=${begun.charset}`];
      }),
  };
}

/** Policies that let in the script of this hash as well (Content Security Policy Level 3, 6.7.2). */
function allowing(policies: string, hash: string): string {
  return policies
    .split(',')
    .map((policy) => {
      const directives = policy.split(';').map((each) => each.trim());
      const named = (name: string): number =>
        directives.findIndex((each) => each.split(/\s/)[0]?.toLowerCase() === name);
      const decisive = ['script-src-elem', 'script-src', 'default-src'].map(named).find((at) => at >= 0);
      if (decisive === undefined) return policy;
      const [name = '', ...sources] = (directives[decisive] ?? '').split(/\s+/);
      const isStrict = sources.some((each) => /^'(nonce-|sha\d+-|strict-dynamic)/i.test(each));
      // A hash would make `unsafe-inline` count for nothing.
      if (sources.includes("'unsafe-inline'") && !isStrict) return policy;
      const others = sources.filter((each) => each.toLowerCase() !== "'none'");
      return directives.with(decisive, [name, ...others, hash].join(' ')).join('; ');
    })
    .join(', ');
}
