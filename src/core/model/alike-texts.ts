const anyFigure = /\d+(?:\.\d+)?/g;

/** A figure that stands by itself: no part of a name such as HTTP/3, of an address, a version or an id. */
const ownFigure = /(?<![\w/@.:#=-])\d+(?:\.\d+)?(?![\w/@:-]|\.\w)/g;

/**
 * A text with a mark for each of its figures: texts that differ in these alone are of one kind, and are listed once with their count.
 * Nothing goes by what such a text says, so that mending a sentence changes no list.
 */
export const withoutFigures = (text: string): string => text.replace(anyFigure, '#');

/** Texts of one kind, as one. */
export interface KindOfText {
  /** The first of them; where a figure that stands by itself differs, it is from the least to the largest. */
  readonly text: string;
  /** Whether they differ in something else, such as an id: the text then is that of one of them. */
  readonly isExample: boolean;
}

/** One text for those of one kind. */
export function textOfKind(texts: readonly string[]): KindOfText {
  const [first = '', ...others] = new Set(texts);
  if (others.length === 0) return { text: first, isExample: false };
  const isExample = others.some((text) => text.replace(ownFigure, '#') !== first.replace(ownFigure, '#'));
  const columns = [first, ...others].map((text) => text.match(ownFigure) ?? []);
  let at = 0;
  const text = first.replace(ownFigure, (figure) => {
    const column = at++;
    const values = columns.map((figures) => figures[column] ?? figure);
    const [least = figure] = values.toSorted((a, b) => Number(a) - Number(b));
    const [largest = figure] = values.toSorted((a, b) => Number(b) - Number(a));
    return Number(least) === Number(largest) ? figure : `${least} to ${largest}`;
  });
  return { text, isExample };
}
