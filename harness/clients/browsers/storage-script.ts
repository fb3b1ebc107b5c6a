import type { LiveAccess } from '../../../src/core/model/live-access.ts';
import { pageExpression } from './page-script.ts';

/** Fills the local storage of each saved origin before its first script; undefined where nothing was saved. */
export function storageScript({ state }: LiveAccess): string | undefined {
  const saved = state.origins.filter(({ localStorage }) => localStorage.length > 0);
  return saved.length === 0 ? undefined : pageExpression('fill-storage.ts', 'fillStorage', saved);
}
