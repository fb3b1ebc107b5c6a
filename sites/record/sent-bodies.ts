import { headerOf, type Header } from '../archive/headers.ts';

/**
 * What was sent with each request of a file, asked for in their order. A redirect of status 307 or 308 sends a body on
 * (RFC 9110, 15.4.8), and files have it at the first of its requests only.
 */
export class SentBodies {
  /** By method and address to which a body is sent on. */
  readonly #sentOn = new Map<string, Uint8Array>();

  /** @param own body that the file has of this request; null or empty: none */
  of(
    { method, url }: { readonly method: string; readonly url: string },
    own: Uint8Array | null,
    answer: { readonly status: number; readonly headers: readonly Header[] },
  ): Uint8Array | null {
    const place = `${method} ${url}`;
    const body = own === null || own.length === 0 ? (this.#sentOn.get(place) ?? own) : own;
    this.#sentOn.delete(place);
    const target = headerOf(answer.headers, 'location');
    const keepsBody = answer.status === 307 || answer.status === 308;
    if (keepsBody && body !== null && body.length > 0 && target !== undefined && URL.canParse(target, url)) {
      const to = new URL(target, url);
      to.hash = '';
      this.#sentOn.set(`${method} ${to.href}`, body);
    }
    return body;
  }
}
