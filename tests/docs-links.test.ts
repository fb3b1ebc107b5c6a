import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { projectDir } from './support/source-graph.ts';

const pages = globSync(['*.md', 'docs/*.md', 'reports/examples/*.md'], { cwd: projectDir });
const read = (page: string): string => readFileSync(join(projectDir, page), 'utf8');

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links of a page that lead to no file, or to no heading of one. */
function brokenLinks(page: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(projectDir, target))) return [`${page}: ${link}`];
    if (anchor === undefined || !target.endsWith('.md')) return [];
    return anchorsOf(target === page ? text : read(target)).includes(anchor) ? [] : [`${page}: ${link}`];
  });
}

test('links of docs lead to files and headings that exist', () => {
  assert.ok(pages.length > 20);
  assert.deepEqual(
    pages.flatMap((page) => brokenLinks(page, read(page))),
    [],
  );
  assert.deepEqual(brokenLinks('README.md', '# A b\n[x](#a-b) [y](#c) [z](docs/none.md)'), [
    'README.md: #c',
    'README.md: docs/none.md',
  ]);
});

/** A line that somebody types, a comment behind it, or nothing. */
const isTyped = (line: string): boolean => /^\s*(?:\$ |npx |npm |node |#|$)/.test(line);

/** Whether a page shows a picture, or in a block without a language what a command prints or how things lie. */
function showsSomething(text: string): boolean {
  const blocks = [...text.matchAll(/^ *```(\w*)\n([^]*?)^ *```/gm)];
  return (
    /!\[/.test(text) ||
    blocks.some(
      ([, language = '', lines = '']) =>
        ['', 'text', 'json'].includes(language) && !lines.split('\n').every(isTyped),
    )
  );
}

test('every page of docs has its place in the README, and a picture or an example of output', () => {
  for (const page of pages.filter((one) => one.startsWith('docs/'))) {
    assert.ok(read('README.md').includes(`(${page})`), `${page} is in no row of the README`);
    // A page that a command writes shows what was measured, as soon as anything was.
    if (!read(page).startsWith('<!-- made by '))
      assert.ok(showsSomething(read(page)), `${page} has neither picture nor output`);
  }
  assert.ok(!showsSomething('```sh\nnpx h2h3 run web\n```'), 'a command is no output');
  assert.ok(!showsSomething('```\n$ npx h2h3 run web\n\n```'), 'a command is no output');
  assert.ok(
    !showsSomething('```sh\nnpx a\n```\ntext\n```sh\nnpx b\n```'),
    'text between blocks is no output',
  );
  assert.ok(showsSomething('```\n$ npx h2h3 plan web\n40 trials\n```'));
});
