/** ESLint rules that find assertions which nearly anything passes, and tests that end before they assert anything. */
import type { Rule, SourceCode } from 'eslint';
import type { ArrowFunctionExpression, IfStatement, Node } from 'estree';
import { assertionOf, bare } from './assertion-calls.ts';

/** So short a word stands within others, as `port` does in "report" and "unsupported". */
const shortWord = /^[a-z]{1,5}$/;

export const shortPattern: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { short: 'Other words hold "{{word}}" too: give the words next to it, or its bounds (\\b).' },
  },
  create: (context) => ({
    CallExpression(node) {
      const [, pattern] = node.arguments;
      if (assertionOf(node) !== 'match' || pattern?.type !== 'Literal' || !('regex' in pattern)) return;
      const word = pattern.regex.pattern;
      if (shortWord.test(word)) context.report({ node, messageId: 'short', data: { word } });
    },
  }),
};

const maxExitCodes = 2;

/** Parts of which one must hold. */
function alternativesOf(given: Node): Node[] {
  const node = bare(given);
  const isEither = node.type === 'LogicalExpression' && node.operator === '||';
  return isEither ? [...alternativesOf(node.left), ...alternativesOf(node.right)] : [node];
}

function isExitCode(node: Node): boolean {
  const named = node.type === 'MemberExpression' ? node.property : node;
  return named.type === 'Identifier' && ['code', 'exitCode'].includes(named.name);
}

/** How many exit codes an assertion takes: each by `===`, or all in a list that includes it. */
function exitCodesTaken(condition: Node): number {
  const node = bare(condition);
  if (node.type !== 'CallExpression')
    return alternativesOf(node).filter((one) => one.type === 'BinaryExpression' && isExitCode(bare(one.left)))
      .length;
  const { callee } = node;
  const [given] = node.arguments;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression' || given === undefined)
    return 0;
  return isExitCode(bare(given.type === 'LogicalExpression' ? given.left : given))
    ? callee.object.elements.length
    : 0;
}

export const manyExitCodes: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { many: 'One input has one exit code: this takes {{count}} of them.' },
  },
  create: (context) => ({
    CallExpression(node) {
      const [condition] = node.arguments;
      if (assertionOf(node) !== 'ok' || condition === undefined) return;
      const count = exitCodesTaken(condition);
      if (count > maxExitCodes) context.report({ node, messageId: 'many', data: { count: String(count) } });
    },
  }),
};

type TestBody = ArrowFunctionExpression & Rule.NodeParentExtension;

/** The function of `test(…)` that a node stands in directly; undefined elsewhere. */
function testBodyOf(node: Rule.Node): TestBody | undefined {
  let at: Rule.Node = node;
  while (!('params' in at) && at.type !== 'Program') at = at.parent;
  if (at.type !== 'ArrowFunctionExpression' || at.parent.type !== 'CallExpression') return undefined;
  const { callee } = at.parent;
  return callee.type === 'Identifier' && ['test', 'it'].includes(callee.name) ? at : undefined;
}

/** The condition on which a statement is reached. */
function conditionOf({ parent }: Rule.Node): Node | undefined {
  const above = parent?.type === 'BlockStatement' ? parent.parent : parent;
  return above?.type === 'IfStatement' ? (above as IfStatement).test : undefined;
}

function isWithin(outer: Node, { range }: Pick<Node, 'range'>): boolean {
  if (outer.range === undefined || range === undefined) return false;
  return outer.range[0] <= range[0] && range[1] <= outer.range[1];
}

/** Whether the test's context is given to a call in a condition, or to one whose result the condition is about. */
function handsOver(sourceCode: SourceCode, body: TestBody, condition: Node): boolean {
  const [context] = sourceCode.getDeclaredVariables(body);
  const asked = sourceCode
    .getScope(body.body)
    .references.filter(({ identifier }) => isWithin(condition, identifier as Node));
  const definitions = asked.flatMap(({ resolved }) => resolved?.defs ?? []).map(({ node }) => node as Node);
  const places = [condition, ...definitions];
  return (
    context?.references.some(({ identifier }) => places.some((place) => isWithin(place, identifier))) === true
  );
}

/**
 * Finds tests that pass by ending early: no assertion was made, and what they ended upon was not handed the test's context, by
 * which a test is skipped.
 */
export const silentEnd: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      silent: 'The test passes here before it has asserted anything: skip it with the reason, or fail.',
    },
  },
  create: (context) => ({
    'ReturnStatement[argument=null]'(node: Rule.Node) {
      const body = testBodyOf(node);
      const condition = conditionOf(node);
      if (body === undefined || condition === undefined) return;
      const before = context.sourceCode.text.slice(body.range?.[0], node.range?.[0]);
      if (/\bassert\b|\.skip\(/.test(before) || handsOver(context.sourceCode, body, condition)) return;
      context.report({ node, messageId: 'silent' });
    },
  }),
};
