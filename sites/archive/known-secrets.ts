import { H2h3Error } from '../../src/core/model/errors.ts';
import { secretsNamedIn } from '../../src/core/model/secrets.ts';
import { decodeBody } from './content-coding.ts';
import { headerOf } from './headers.ts';
import { isSecretKey } from './secrets.ts';
import type { RecordedExchange } from './write-archive.ts';

export interface FoundSecret {
  readonly url: string;
  /** What the rule that found it calls it, or the key that it is the value of. */
  readonly kind: string;
  /** Known by its own shape, not by the key's name alone: most pages hold some that only one visit could use. */
  readonly isKnownShape: boolean;
}

/** Larger texts are media or data, which the rules were not made for. */
const maxBytes = 4_000_000;
const textTypes = /text|json|javascript|ecmascript|xml|x-www-form-urlencoded|graphql|^$/i;
/** Beyond what secretlint's rules know: signed tokens of a login (RFC 7519), and cards' test keys are no secret. */
const jwt = /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{20,}/;

/**
 * Bodies, sent or received, that hold something of the shape of a known token or key, by the rules of secretlint, or one of
 * the texts that are secret, in whichever form; these are looked for in addresses and headers too.
 */
export async function findSecrets(
  exchanges: readonly RecordedExchange[],
  secrets: readonly string[] = [],
): Promise<readonly FoundSecret[]> {
  const scan = await scanner();
  const namesIn = secretsNamedIn(secrets.map((value) => ({ name: 'value of the log-in', value })));
  const found: FoundSecret[] = [];
  for (const { entry, body, requestBody } of exchanges) {
    const url = `https://${entry.host}${entry.path}`;
    const type = headerOf(entry.headers, 'content-type') ?? '';
    const coding = headerOf(entry.headers, 'content-encoding') ?? '';
    const received = body !== null && textTypes.test(type) ? await decodeBody(body, coding, maxBytes) : null;
    found.push(...[...namesIn(JSON.stringify(entry))].map((kind) => ({ url, kind, isKnownShape: true })));
    const texts = [received?.toString('utf8') ?? '', Buffer.from(requestBody ?? []).toString('latin1')];
    for (const text of texts.filter((each) => each !== '' && each.length <= maxBytes))
      found.push(
        ...[...(await scan(text)), ...namesIn(text)].map((kind) => ({ url, kind, isKnownShape: true })),
        ...secretKeysIn(text).map((kind) => ({ url, kind, isKnownShape: false })),
      );
  }
  return found;
}

/** What in a text has the shape of a known token or key, by the names of the rules that know it. */
export async function secretShapesIn(text: string): Promise<readonly string[]> {
  return (await scanner())(text);
}

/** Keys of JSON, or of scripts that look like it, whose values are credentials by their name. */
function secretKeysIn(text: string): string[] {
  const keys = [...text.matchAll(/"([A-Za-z_][\w.-]{1,40})"\s*:\s*"(?!h2h3-)[^"\s\\]{8,}"/g)].map(
    ([, key = '']) => key,
  );
  return [...new Set(keys.filter(isSecretKey))];
}

/** @throws H2h3Error `bad-input` naming what was found, unless it is to be kept. */
export function requireNoSecrets(all: readonly FoundSecret[], keep: boolean): void {
  const found = all.filter(({ isKnownShape }) => isKnownShape);
  if (found.length === 0 || keep) return;
  const named = found.slice(0, 5).map(({ url, kind }) => `${kind} in ${url}`);
  throw new H2h3Error('bad-input', `${found.length} bodies hold what looks like a secret; nothing was kept`, {
    context: { got: named.join(', ') + (found.length > named.length ? ', …' : '') },
    next: 'Look at them; --keep-bodies-with-secrets keeps them, and then the archive is as secret as they are.',
  });
}

async function scanner(): Promise<(text: string) => Promise<readonly string[]>> {
  // Loaded when needed: the rules take longer than other commands' start.
  const [{ lintSource }, preset] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  // The last of them lets a comment in the text switch the others off.
  const rules = preset.rules
    .filter((rule) => !rule.meta.id.endsWith('filter-comments'))
    .map((rule) => ({ id: rule.meta.id, rule, options: {} }));
  return async (content) => {
    const source = { filePath: 'body', content, ext: '', contentType: 'text' as const };
    const { messages } = await lintSource({ source, options: { config: { rules }, maskSecrets: true } });
    const kinds = messages.map(({ ruleId }) => ruleId.replace('@secretlint/secretlint-rule-', ''));
    return [...kinds, ...(jwt.test(content) ? ['signed token'] : [])];
  };
}
