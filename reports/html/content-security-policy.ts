import { createHash } from 'node:crypto';

function source(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

export interface PolicyOptions {
  /** A page that a local server shows may ask that server for news. Default: no request at all. */
  readonly ownServer?: boolean;
  /** A page with films next to it may show these, by double click or from a server. Default: nothing outside of the page. */
  readonly ownFilms?: boolean;
}

/**
 * A policy that lets exactly these inline scripts and styles run and nothing else: no request, no frame, no form.
 * Pictures may come out of `data:` and `blob:` for the saving of charts.
 */
export function contentSecurityPolicy(
  scripts: readonly string[],
  styles: readonly string[],
  { ownServer = false, ownFilms = false }: PolicyOptions = {},
): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(source).join(' ')}`,
    `style-src ${styles.map(source).join(' ')}`,
    `img-src data: blob:${ownFilms ? " 'self' file:" : ''}`,
    ...(ownFilms ? ["media-src 'self' file:"] : []),
    ...(ownServer ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
