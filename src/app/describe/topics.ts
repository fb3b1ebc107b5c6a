import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error } from '../../core/model/errors.ts';
import { nearestName } from '../../core/model/nearest-name.ts';

/** A page of the documentation, by which `h2h3 help` explains something. */
export interface Topic {
  /** Name of its file, such as `networks`. */
  readonly id: string;
  readonly title: string;
}

const docsDir = (projectDir: string): string => join(projectDir, 'docs');

/** Names of all topics; reads no page. */
export function topicIds(projectDir: string): string[] {
  return readdirSync(docsDir(projectDir))
    .flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : []))
    .toSorted();
}

const readPage = (projectDir: string, id: string): string =>
  readFileSync(join(docsDir(projectDir), `${id}.md`), 'utf8');

export function helpTopics(projectDir: string): Topic[] {
  return topicIds(projectDir).map((id) => ({
    id,
    title: /^# (.+)$/m.exec(readPage(projectDir, id))?.[1] ?? id,
  }));
}

/** Markdown as a terminal shows it: without pictures, links by their words, nothing bold. */
function asPlainText(markdown: string): string {
  return markdown
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

interface Section {
  readonly title: string;
  readonly text: string;
}

/** The parts of a page below its headings, after what stands before them. */
function sectionsOf(page: string): { readonly first: string; readonly sections: readonly Section[] } {
  const [first = '', ...parts] = page.split(/^## /m);
  const sections = parts.map((text) => ({ title: text.split('\n', 1)[0] ?? '', text: `## ${text}` }));
  return { first, sections };
}

/** Longest that a topic is before its parts are only named, lines. */
const maxLines = 30;

function overview(id: string, page: string): string {
  const whole = asPlainText(page);
  if (whole.split('\n').length <= maxLines) return whole;
  const { first, sections } = sectionsOf(page);
  const names = sections.map(({ title }) => `  ${title}`);
  return [asPlainText(first), '', `Parts (\`h2h3 help ${id} WORD\`):`, ...names].join('\n');
}

/**
 * What the documentation says about a topic: its page where that is short, else how it begins and what parts it has, or the
 * parts whose headings have a word.
 *
 * @throws H2h3Error `usage` for a topic or a part that there is not
 */
export function topicText(projectDir: string, id: string, word?: string): string {
  const known = topicIds(projectDir);
  if (!known.includes(id)) {
    const near = nearestName(id, known);
    throw new H2h3Error('usage', `there is no topic or command "${id}"`, {
      next: near === undefined ? '`npx h2h3 help` lists them.' : `npx h2h3 help ${near}`,
    });
  }
  const page = readPage(projectDir, id);
  if (word === undefined) return overview(id, page);
  const { sections } = sectionsOf(page);
  const found = sections.filter(({ title }) => title.toLowerCase().includes(word.toLowerCase()));
  if (found.length > 0) return found.map(({ text }) => asPlainText(text)).join('\n\n');
  throw new H2h3Error('usage', `no part of "${id}" has "${word}" in its heading`, {
    next: `npx h2h3 help ${id}`,
  });
}
