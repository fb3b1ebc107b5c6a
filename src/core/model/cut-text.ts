/** Stands where a text was cut; part of a secret may be left next to it, and is looked for there. */
export const cutMark = '…';

/** The first characters of a text, with a mark where others followed. @param most without the mark */
export function startOfText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most) + cutMark;
}

/** The last characters of a text, with a mark where others came before. @param most without the mark */
export function endOfText(text: string, most: number): string {
  return text.length <= most ? text : cutMark + text.slice(-most);
}
