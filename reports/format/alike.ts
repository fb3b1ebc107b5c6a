import { withoutFigures } from '../../src/core/model/alike-texts.ts';

/** Texts that differ in their figures alone. */
export interface Alike {
  /** The first of them, as it is. */
  readonly example: string;
  readonly count: number;
  /** Whether all of them are the same text. */
  readonly equal: boolean;
}

/** Texts by what they say: those that differ in numbers alone stand together, the most frequent first. */
export function groupAlike(texts: readonly string[]): Alike[] {
  const groups = Map.groupBy(texts, withoutFigures);
  return [...groups.values()]
    .map((members) => ({
      example: members[0] ?? '',
      count: members.length,
      equal: new Set(members).size === 1,
    }))
    .sort((a, b) => b.count - a.count);
}
