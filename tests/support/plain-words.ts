import ts from 'typescript';
import { syntaxTreeOf, walk } from './source-graph.ts';

/** Words that were given up, with what is said instead (docs/reading-a-report.md has the words that are used). */
const givenUp: readonly (readonly [found: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'name who'],
  [/\bwhom\b/i, 'name who'],
  [/\bnobody\b/i, 'name what does not'],
  [/\bbeside\b/i, 'next to, with'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:go|goes|going|gone|went) on with\b/i, 'continue'],
  [/\b(?:tell|tells|told) (?:\w+ )?apart\b/i, 'not decided, distinguish, detect'],
  // The flag --allow-undecided is typed.
  [/(?<!--allow-)\bundecided\b/i, 'not decided'],
  [/\binconclusive\b/i, 'not decided'],
  [/\bbefall(?:s|en)?\b/i, 'happens to'],
  [/\b(?:stands?|stood) (?:still|beside|in)\b/i, 'stalls, is next to, is in'],
  [/\botherwise than\b/i, 'differently from, not like'],
  [/\bhonestly\b/i, 'leave it out'],
  [/\bnot sure yet\b/i, 'not decided'],
  [/\bmachine['’]s doing\b/i, 'the machine caused it'],
  [/\bfor certain\b/i, 'say what is decided'],
];

/** Openings by which nobody is named who does anything. */
const openings = /^(?:Whom|Of those|Nobody|What stands|What came of)\b/;

/** Longer sentences are two. */
const maxWords = 30;

/** Sentences of a text: what ends at a full stop, a question mark or a blank line. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?:])["'”)*]*\s+(?=["'“(*]*[A-ZÄÖÜ0-9`])|\n\s*\n/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

const wordsIn = (sentence: string): number => sentence.split(' ').filter((word) => /\w/.test(word)).length;

/** What is wrong with a text that a person reads; one line a fault. */
export function faultsIn(text: string): string[] {
  return sentencesOf(text).flatMap((sentence) => [
    ...givenUp.flatMap(([found, instead]) => {
      const word = found.exec(sentence)?.[0];
      return word === undefined ? [] : [`"${word}" (${instead}): ${sentence}`];
    }),
    ...(openings.test(sentence) ? [`names nobody who does it: ${sentence}`] : []),
    ...(wordsIn(sentence) > maxWords ? [`${wordsIn(sentence)} words: ${sentence}`] : []),
  ]);
}

/** Prose of a Markdown page: without code, pictures and addresses; each cell, item and paragraph a text of its own. */
export function proseOf(page: string): string[] {
  return page
    .replace(/<!--[^]*?-->/g, '')
    .replace(/^ *```[^]*?^ *```/gm, '\n\n')
    .replace(/`[^`]*`/g, 'X')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n(?=\s*[-*] |\|)/)
    .flatMap((block) => (block.startsWith('|') ? block.split('|') : [block]))
    .map((text) => text.replace(/^[\s#>*-]+/, '').trim())
    .filter((text) => text !== '');
}

/**
 * The texts that a page shows, each element that is a line or block of its own by itself. Figures in brackets, such as an
 * interval with p and n, are left out: they are no part of the sentence.
 */
export function shownIn(html: string): string[] {
  return html
    .replace(/<(script|style|template)\b[^]*?<\/\1>/g, '')
    .replace(/<(?!\/?(?:b|strong|em|i|a|code|span|small|sub|sup)\b)[^>]*>/g, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#?\w+;/g, '’')
    .replace(/ \([^()]*\)/g, '')
    .split(/\n\s*\n/)
    .filter((text) => text.trim() !== '');
}

/** Comments of the commands that a Markdown page shows. */
export function commentsIn(page: string): string[] {
  return [...page.matchAll(/^ *```(?:sh|js|ts|yaml)\n([^]*?)^ *```/gm)].flatMap(([, code = '']) =>
    [...code.matchAll(/(?:^|\s)(?:#|\/\/) (.+)$/gm)].map(([, comment = '']) =>
      comment.replace(/`[^`]*`/g, 'X'),
    ),
  );
}

/** The words of a literal; what is put into a template counts as one word. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}

/** An error that is made, a next step or reason that is given, or a line of progress. */
function isSaid(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return /^\w*Error$/.test(node.expression.getText());
  if (ts.isPropertyAssignment(node)) return /^(?:next|reason)$/.test(node.name.getText());
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'say'
  );
}

/** What the errors of a source file say: their messages, what was expected, and the next step. */
export function errorTextsIn(file: string): string[] {
  const texts: string[] = [];
  walk(syntaxTreeOf(file), (node) => {
    if (!isSaid(node)) return;
    walk(node, (inner) => {
      const text = textOf(inner);
      if (text?.includes(' ') === true) texts.push(text);
    });
  });
  return texts;
}

/** Attributes whose words are read aloud or shown. */
const readAttributes = /\s(?:aria-label|title|placeholder|alt)="([^"]*)"/g;

/** Words that somebody reads: not the name of a class, a selector, an address or a rule of a style sheet. */
const isProse = (text: string): boolean =>
  /[a-z]{2,}\W* \S*[a-z]/i.test(text) && !/[{}]|=>|="|^[.#]/.test(text);

/** Every literal of a source file that is shown to people, those of markup without their tags. */
export function screenTextsIn(file: string): string[] {
  const texts: string[] = [];
  walk(syntaxTreeOf(file), (node) => {
    const text = textOf(node);
    if (text === undefined || !text.includes(' ')) return;
    const shown = text.includes('<')
      ? [...shownIn(text), ...[...text.matchAll(readAttributes)].map(([, words = '']) => words)]
      : [text];
    texts.push(...shown.filter(isProse));
  });
  return texts;
}

/** What is wrong with a text on a screen, where two claims are two sentences. */
export function screenFaultsIn(text: string): string[] {
  return [...faultsIn(text), ...(text.includes('; ') ? [`semicolon (two sentences): ${text.trim()}`] : [])];
}
