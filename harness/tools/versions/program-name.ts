import { H2h3Error } from '../../../src/core/model/errors.ts';

/** A program and the version that is wanted of it. */
export interface ProgramName {
  readonly id: string;
  /** The beginning of a version (`1.30`), or `latest`. */
  readonly wanted: string;
}

/** The word for the newest version that can be had. */
export const latest = 'latest';

/** `nginx@1.30` apart; undefined for a name without a version. @throws H2h3Error `usage` for a malformed version */
export function parseProgramName(spec: string): ProgramName | undefined {
  const at = spec.indexOf('@');
  if (at < 0) return undefined;
  const id = spec.slice(0, at);
  const wanted = spec.slice(at + 1);
  if (wanted === latest || /^\d+(?:\.\d+)*$/.test(wanted)) return { id, wanted };
  throw new H2h3Error('usage', `${JSON.stringify(spec)} names no version of ${id}`, {
    context: { expected: `${id}@ and numbers with dots between, or ${id}@${latest}`, got: spec },
    next: `\`npx h2h3 servers list --available\` lists the versions that can be had.`,
  });
}

/** The name without its version. */
export const productOf = (spec: string): string => spec.split('@')[0] ?? spec;

/**
 * Whether the version that `wanted` means is at least `oldest`; of `1.27` and `1` the newest that begins so is meant, and
 * `latest` is newer than all.
 */
export function wantedIsAtLeast(wanted: string, oldest: string): boolean {
  if (wanted === latest) return true;
  const have = wanted.split('.').map(Number);
  for (const [index, part] of oldest.split('.').map(Number).entries()) {
    const own = have[index];
    if (own === undefined || own > part) return true;
    if (own < part) return false;
  }
  return true;
}
