/** Text that shows as it is in Markdown: no markup, no mention of people, no line of its own. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~$]/g, '\\$&')
    .replace(/@(?=\w)/g, '@\u200b')
    .trim();
}

/** Text as code that nothing in it can end. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** A table whose cells are already Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
