import { textOfKind, withoutFigures, type KindOfText } from '../../src/core/model/alike-texts.ts';

/** Texts that differ in their figures alone. */
export interface Alike extends KindOfText {
  readonly count: number;
}

/** Texts by what they say: those that differ in numbers alone stand together, the most frequent first. */
export function groupAlike(texts: readonly string[]): Alike[] {
  const groups = Map.groupBy(texts, withoutFigures);
  return [...groups.values()]
    .map((members) => ({ ...textOfKind(members), count: members.length }))
    .sort((a, b) => b.count - a.count);
}
