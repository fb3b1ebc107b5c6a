/** Recipes of a page of docs: what somebody types, and the files that lie there then. */

export interface Recipe {
  readonly name: string;
  /** Lines that are typed, in their order. */
  readonly commands: readonly string[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Why it was not tried, as the page says; null: it is. */
  readonly untriedReason: string | null;
}

/**
 * Recipes below a heading of a page: each has a heading of its own, commands in a block `sh`, and files in blocks `js` that begin with
 * their names as a comment.
 */
export function recipesOf(page: string, heading: string): Recipe[] {
  const [, section = ''] = new RegExp(`^## ${heading}\n([^]*?)^## `, 'm').exec(page) ?? [];
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const [name = ''] = text.split('\n', 1);
      const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```/gm)];
      const linesOf = (language: string): string[] =>
        blocks.flatMap(([, kind, lines = '']) => (kind === language ? [lines] : []));
      const reason = /^Not tried: ([^]*?)\n\n/m.exec(text)?.[1];
      return {
        name,
        commands: linesOf('sh').flatMap((lines) => lines.trim().split('\n')),
        files: linesOf('js').flatMap((lines) => {
          const file = /^\/\/ (\S+)\n/.exec(lines)?.[1];
          return file === undefined ? [] : [{ name: file, text: lines }];
        }),
        untriedReason: reason?.replace(/\s+/g, ' ') ?? null,
      };
    });
}
