import { H2h3Error } from '../core/model/errors.ts';
import { didYouMean } from '../core/model/nearest-name.ts';

/** A name out of a closed list. @throws H2h3Error `usage` where it is none of them */
export function oneOf<const T extends string>(kind: string, names: readonly T[], text: string): T {
  const name = names.find((known) => known === text);
  if (name !== undefined) return name;
  throw new H2h3Error('usage', `unknown ${kind} "${text}"`, {
    context: { expected: names.join(', '), got: text },
    next: didYouMean(text, names),
  });
}
