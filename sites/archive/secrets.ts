import { createHmac } from 'node:crypto';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';

/** Keys of queries, forms, JSON and cookies whose values are credentials, without case and separators. */
const secretKeys =
  /token|secret|passw|passcode|passphrase|signature|sess(?:ion|id)|apikey|accesskey|credential|assertion|samlre|relaystate|csrf|xsrf|^(auth|authorization|sid|ssid|sig|jwt|key|code|pwd|pass|otp|pin|ticket|nonce|remoteuser)$/i;
/** Headers that carry credentials, besides those whose name says so like a key. */
const secretHeaderNames = new Set(['authorization', 'authentication-info', 'x-auth', 'www-authenticate']);
const secretHeaderWords =
  /(^|[-_])(token|secret|api-?key|access-?key|session(-?id)?|auth|signature|password|csrf|xsrf|jwt)([-_]|$)/i;
/** Headers that only speak of such names. */
const harmlessHeaders = /^(access-control-|sec-|content-security-policy|permissions-policy|vary$)/i;
/** Log-ins that lead back through each other are three deep; each costs another look at all within it. */
const maxNested = 10;
/** Shorter values of cookies are words such as "yes", which stand in many an address. */
const minCookieCharacters = 8;
/** Longer bodies are data; each of their words would be hashed. */
const maxSentBackBytes = 200_000;
const placeholder = /^h2h3-[0-9a-f]{16}$/;

/** Whether values of this key are credentials. */
export function isSecretKey(key: string): boolean {
  return secretKeys.test(key.replaceAll(/[-_.[\]]|%5B|%5D/gi, ''));
}

export function isSecretHeader(name: string): boolean {
  if (harmlessHeaders.test(name)) return false;
  return secretHeaderNames.has(name.toLowerCase()) || secretHeaderWords.test(name);
}

/**
 * Puts a keyed hash in the place of each secret: the same for the same value, so that two users stay two. A value that
 * was replaced once stays as it is, so what a replayed page sends back is what was recorded of it.
 */
export class SecretCleaner {
  /** Names of what was replaced, one for each time. */
  readonly removed: string[] = [];
  readonly #key: string;
  readonly #ofCookies: ReadonlySet<string>;

  /**
   * @param key hexadecimal; empty: nothing is replaced
   * @param setCookies values of `Set-Cookie`: where a request has the value of such a cookie under any name, it is replaced too
   */
  constructor(key: string, setCookies: readonly string[] = []) {
    this.#key = key;
    const values = setCookies.map((cookie) => /^[^=;]*=([^;]*)/.exec(cookie)?.[1]?.trim() ?? '');
    const long = values.filter((value) => value.length >= minCookieCharacters);
    this.#ofCookies = new Set(this.active ? long.map((value) => this.#hashOf(value)) : []);
  }

  get active(): boolean {
    return this.#key !== '';
  }

  value(secret: string, name: string): string {
    if (!this.active || secret === '' || placeholder.test(secret)) return secret;
    this.removed.push(name);
    return this.#hashOf(secret);
  }

  #hashOf(secret: string): string {
    if (placeholder.test(secret)) return secret;
    return `h2h3-${createHmac('sha256', this.#key).update(secret).digest('hex').slice(0, 16)}`;
  }

  /** What a script sends back of a cookie; a replayed page has another one, and sends that. */
  #sentBack(value: string, what: string): string {
    const isCookie = value.length >= minCookieCharacters && this.#ofCookies.size > 0;
    return isCookie && this.#ofCookies.has(this.#hashOf(value))
      ? this.value(value, `${what} of a cookie`)
      : value;
  }

  query(query: string): string {
    return this.#pairs(query, 'query');
  }

  /** `;jsessionid=…` as servlets put it into paths. */
  path(path: string): string {
    const cleaned = path.replaceAll(/;([^;/=]+)=([^;/]*)/g, (pair, key: string, secret: string) =>
      isSecretKey(key) ? `;${key}=${this.value(secret, `path ${key}`)}` : pair,
    );
    return cleaned
      .split('/')
      .map((segment) => this.#sentBack(segment, 'path'))
      .join('/');
  }

  /** Of an address, whole or relative, its userinfo, and of path, query and fragment the secrets. */
  address(text: string): string {
    return this.#address(text, 0);
  }

  /** @param depth how many addresses it stands in */
  #address(text: string, depth: number): string {
    const parts = /^([a-z][a-z0-9+.-]*:)?(\/\/(?:[^/?#@]*@)?[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(text);
    if (parts === null || !this.active) return text;
    const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
    const withoutUser = authority.replace(/^\/\/[^/?#@]*@/, '//');
    if (withoutUser !== authority) this.removed.push('name and password of an address');
    const ofQuery = query === '' ? '' : `?${this.#pairs(query.slice(1), 'query', depth)}`;
    const ofFragment = fragment === '' ? '' : `#${this.#pairs(fragment.slice(1), 'fragment', depth)}`;
    return `${scheme}${withoutUser}${this.path(path)}${ofQuery}${ofFragment}`;
  }

  /** Value of a `Cookie` header, its pairs in order of name: browsers order them by path and age. */
  cookies(header: string): string {
    return header
      .split(/;\s*/)
      .filter((pair) => pair !== '')
      .map((pair) => this.#cookiePair(pair, 'cookie'))
      .sort()
      .join('; ');
  }

  /** Value of a header of an answer. */
  responseHeader(name: string, value: string): string {
    const lower = name.toLowerCase();
    if (lower === 'set-cookie' || lower === 'set-cookie2') return this.#setCookie(value);
    if (lower === 'location' || lower === 'content-location') return this.address(value);
    if (lower === 'link')
      return value.replaceAll(/<([^<>]*)>/g, (_, target: string) => `<${this.address(target)}>`);
    if (lower === 'refresh')
      return value.replace(/(url=)(.*)$/i, (_, start: string, to: string) => start + this.address(to));
    if (isSecretHeader(lower)) return this.value(value, `header ${lower}`);
    // Addresses to report to, of sources, and of whatever else headers will be made for.
    return value.replaceAll(/https?:\/\/[^\s"'<>,;\\]+/gi, (found) => this.address(found));
  }

  /** Value of a request's header that `Vary` names. */
  requestHeader(name: string, value: string): string {
    if (name === 'cookie') return this.cookies(value);
    if (name === 'referer') return this.address(value);
    return isSecretHeader(name) ? this.value(value, `header ${name}`) : value;
  }

  #setCookie(value: string): string {
    const [pair = '', ...attributes] = value.split(';');
    return [this.#cookiePair(pair, 'header set-cookie'), ...attributes].join(';');
  }

  #cookiePair(pair: string, what: string): string {
    const [key = '', ...rest] = pair.split('=');
    return rest.length === 0 ? pair : `${key}=${this.value(rest.join('='), what)}`;
  }

  #pairs(text: string, what: string, depth = 0): string {
    if (!this.active) return text;
    return text
      .split('&')
      .map((pair) => {
        const [key = '', ...rest] = pair.split('=');
        const value = rest.join('=');
        if (rest.length === 0) return pair;
        const cleaned = isSecretKey(key)
          ? this.value(value, `${what} ${key}`)
          : this.#addressIn(this.#sentBack(value, what), depth);
        return `${key}=${cleaned}`;
      })
      .join('&');
  }

  /** An address that a value of a query is, such as where a log-in leads back to. */
  #addressIn(value: string, depth: number): string {
    if (depth === maxNested || !/^(?:https?%3A|https?:|%2F|\/)/i.test(value)) return value;
    try {
      const address = decodeURIComponent(value);
      const cleaned = this.#address(address, depth + 1);
      return cleaned === address ? value : encodeURIComponent(cleaned);
    } catch {
      return value; // not encoded as addresses are
    }
  }

  /** A body that a page sent: forms and JSON with the values of secret keys replaced, everything else as it is. */
  requestBody(body: Uint8Array, contentType: string): Uint8Array {
    if (!this.active || body.length === 0) return body;
    const text = Buffer.from(body).toString('latin1');
    if (/x-www-form-urlencoded/i.test(contentType)) return Buffer.from(this.#pairs(text, 'form'), 'latin1');
    if (/multipart\/form-data/i.test(contentType)) return Buffer.from(this.#multipart(text), 'latin1');
    return this.#json(Buffer.from(body));
  }

  /** Part by part (RFC 7578): one pattern for all of them would look for its end anew from every name. */
  #multipart(text: string): string {
    const end = '\r\n--';
    const blankLine = '\r\n\r\n';
    const parts = text.split(end);
    const cleaned = parts.map((part, index) => {
      const at = part.indexOf(blankLine) + blankLine.length;
      const isWhole = at >= blankLine.length && index < parts.length - 1;
      const key = isWhole ? /name="([^"\r\n]*)"/.exec(part.slice(0, at))?.[1] : undefined;
      if (key === undefined || !isSecretKey(key)) return part;
      return part.slice(0, at) + this.value(part.slice(at), `form ${key}`);
    });
    return cleaned.join(end);
  }

  #json(body: Buffer): Uint8Array {
    const before = this.removed.length;
    let json: unknown;
    try {
      json = parseForeignJson(body.toString('utf8'));
    } catch {
      // Pages send what they like under any type.
      return body;
    }
    const cleaned = this.#cleanJson(json, '', body.length <= maxSentBackBytes);
    return this.removed.length === before ? body : Buffer.from(JSON.stringify(cleaned));
  }

  #cleanJson(value: unknown, key: string, isShort: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#cleanJson(item, key, isShort));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, this.#cleanJson(inner, name, isShort)]),
      );
    if (typeof value !== 'string') return value;
    if (isSecretKey(key)) return this.value(value, `body ${key}`);
    return isShort ? this.#sentBack(value, 'body') : value;
  }
}
