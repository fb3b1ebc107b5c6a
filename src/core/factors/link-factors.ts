import type { NetworkSpec } from '../model/network-spec.ts';
import { factors } from './registry.ts';
import type { ValuesFor } from './values.ts';

/** A network's figures as the link factors make them that change figures, one after the other. */
export function withLinkFactors(spec: NetworkSpec, settings: ValuesFor<'link'>): NetworkSpec {
  const values: Readonly<Record<string, unknown>> = settings;
  return factors.reduce((shaped, factor) => {
    const value = values[factor.id];
    return value === undefined ? shaped : (factor.shape?.(value, shaped) ?? shaped);
  }, spec);
}
