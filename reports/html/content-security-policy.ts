import { createHash } from 'node:crypto';

function source(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * A policy that lets exactly these inline scripts and styles run and nothing else: no request, no frame, no form.
 * Pictures may come out of `data:` and `blob:` for the saving of charts.
 */
export function contentSecurityPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(source).join(' ')}`,
    `style-src ${styles.map(source).join(' ')}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
