/** Replaces the characters from `start` up to `end` (offsets into the original text). */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; an edit inside an earlier, larger one is dropped with it. */
export function applyEdits(original: string, edits: readonly TextEdit[]): string {
  const isInsertion = (edit: TextEdit): number => (edit.end === edit.start ? 0 : 1);
  const ordered = edits.toSorted(
    (a, b) => a.start - b.start || isInsertion(a) - isInsertion(b) || b.end - a.end,
  );
  const parts: string[] = [];
  let position = 0;
  for (const edit of ordered) {
    if (edit.start < position) continue;
    parts.push(original.slice(position, edit.start), edit.text);
    position = edit.end;
  }
  parts.push(original.slice(position));
  return parts.join('');
}
