import type { Verdict } from '../../src/core/model/summary.ts';

export type Tone = Verdict | 'bold';
/** Gives text a colour, or leaves it as it is. */
export type Paint = (text: string, tone: Tone) => string;

// Blue and yellow stay apart for nearly every kind of colour blindness; signs carry the meaning anyway.
const codes: Readonly<Record<Tone, string>> = {
  better: '34;1',
  worse: '33;1',
  equivalent: '39',
  mixed: '35;1',
  inconclusive: '2',
  bold: '1',
};

export function painter(colour: boolean): Paint {
  return (text, tone) => (colour ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text);
}

/** Escape sequences and other control characters of foreign text would act on the terminal; they are taken out. */
function harmless(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** Text cut to a width, with an ellipsis where something is missing. */
export function fit(text: string, columns: number): string {
  const characters = [...harmless(text)];
  return characters.length <= columns
    ? characters.join('')
    : `${characters.slice(0, Math.max(0, columns - 1)).join('')}…`;
}

/** Text in lines of at most `columns` characters, each beginning with `indent`; longer words are broken. */
export function wrap(text: string, columns: number, indent = ''): string[] {
  const room = Math.max(1, columns - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of harmless(text).split(' ').filter(Boolean)) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > room) {
      lines.push(line);
      line = '';
    }
    while (rest.length > room) {
      lines.push(rest.slice(0, room));
      rest = rest.slice(room);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return [...lines, line].filter((line) => line !== '').map((line) => indent + line);
}

/** Characters of the widest cell of each column of the first row. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
}

/** A cell filled up to its column's width. */
export function padded(cell: string, width = 0): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length));
}

/** Rows as lines with aligned columns. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = columnWidths(rows);
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
