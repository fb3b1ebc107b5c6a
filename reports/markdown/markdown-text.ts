import { withoutSteering } from '../../src/core/model/steering-characters.ts';

/** One line, in which nothing steers a terminal or turns the direction of writing. */
const oneLine = (text: string): string => withoutSteering(text.replace(/\s+/g, ' ').trim());

/** Text that shows as it is in Markdown: no markup, no character by its number, no mention of people, no line of its own. */
export function plain(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>|#~$&]/g, '\\$&')
    .replace(/@(?=\w)/g, '@\u200b');
}

/** Text as code that nothing in it can end. */
export function code(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** A table whose cells are already Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
