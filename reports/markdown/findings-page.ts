import type { Finding } from '../../src/core/model/finding.ts';

/** The entries of the page as they stand, by id: Markdown between the lines that mark them. */
export type FindingEntries = ReadonlyMap<string, string>;

const opening = (id: string): string => `<!-- finding ${id} -->`;
const closing = '<!-- end of finding -->';
const entryForm = /^<!-- finding ([\w-]+) -->\n\n([^]*?)\n\n<!-- end of finding -->$/gm;

/** The first line of every such page, by which one of ours is known. */
const mark = '<!-- made by `npx h2h3 findings` -->';

const head = `# Findings

What h2h3 found, each finding measured by one plan, on one machine that client and server share, with CPUs of their own each. [Studies](studies.md) has published
figures next to measured ones.

\`\`\`sh
npx h2h3 findings --list           # what is compared, and how long each takes
npx h2h3 findings                  # measures all again and renews this page
npx h2h3 findings --only servers   # renews one and keeps the others
\`\`\``;

/** Whether a text is such a page, which may be written over. */
export const isFindingsPage = (text: string): boolean => text.startsWith(mark);

/** The entries of a page. */
export function readFindingEntries(page: string): FindingEntries {
  return new Map([...page.matchAll(entryForm)].map(([, id = '', entry = '']) => [id, entry]));
}

/** The page of these entries, in the order of `findings`; an entry of none of them is dropped. */
export function renderFindingsPage(findings: readonly Finding[], entries: FindingEntries): string {
  const shown = findings.flatMap(({ id }) => {
    const entry = entries.get(id);
    return entry === undefined ? [] : [[opening(id), entry, closing].join('\n\n')];
  });
  const measured =
    shown.length === 0
      ? ['Nothing was measured yet.']
      : ['<!-- prettier-ignore-start -->', ...shown, '<!-- prettier-ignore-end -->'];
  return `${[mark, head, ...measured].join('\n\n')}\n`;
}
