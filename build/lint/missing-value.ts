/**
 * An ESLint rule that finds assertions which hold where the value that they are about is missing: `(counter ?? 1) > 0`, or a text
 * that is `''` when there is none and is asked only what it does not say.
 */
import type { Rule } from 'eslint';
import type { CallExpression, Node } from 'estree';
import { assertionOf, bare, type Known } from './assertion-calls.ts';

/** What an expression is where all that may be missing in it is missing; undefined where that is not known. */
function knownOf(given: Node): Known {
  const node = bare(given);
  if (node.type === 'Literal')
    return { value: 'regex' in node ? new RegExp(node.regex.pattern, node.regex.flags) : node.value };
  if (node.type === 'Identifier') return node.name === 'Infinity' ? { value: Infinity } : undefined;
  if (node.type === 'LogicalExpression') return node.operator === '??' ? knownOf(node.right) : undefined;
  const inner = node.type === 'UnaryExpression' ? knownOf(node.argument) : undefined;
  if (node.type !== 'UnaryExpression' || inner === undefined) return undefined;
  if (node.operator === '-') return { value: -Number(inner.value) };
  return node.operator === '!' ? { value: !inner.value } : undefined;
}

/** Whether an expression says itself what it is where something is missing. */
function hasFallback(given: Node): boolean {
  const node = bare(given);
  if (node.type === 'UnaryExpression') return hasFallback(node.argument);
  return node.type === 'LogicalExpression' && node.operator === '??';
}

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** Whether an expression with a fallback holds by it; undefined where it has none, or nobody can tell. */
function holdsByFallback(given: Node): boolean | undefined {
  const node = bare(given);
  if (node.type !== 'BinaryExpression') {
    const known = hasFallback(node) ? knownOf(node) : undefined;
    return known === undefined ? undefined : Boolean(known.value);
  }
  const compare = comparisons[node.operator];
  if (compare === undefined || !(hasFallback(node.left) || hasFallback(node.right))) return undefined;
  // A limit with a name lies between nothing at all and infinity.
  const [left, right] = [node.left, node.right].map((side) => Number((knownOf(side) ?? { value: 1 }).value));
  return left === undefined || right === undefined ? undefined : compare(left, right);
}

/** The parts of which each must hold. */
function conditionsOf(given: Node): Node[] {
  const node = bare(given);
  const isBoth = node.type === 'LogicalExpression' && node.operator === '&&';
  return isBoth ? [...conditionsOf(node.left), ...conditionsOf(node.right)] : [node];
}

/** Whether a pattern that is asked of a text says of the fallback what it should say of the text. */
function matchesFallback(method: 'match' | 'doesNotMatch', text: Node, pattern: Node): boolean {
  const fallback = knownOf(text);
  const asked = knownOf(pattern);
  if (!hasFallback(text) || typeof fallback?.value !== 'string' || !(asked?.value instanceof RegExp))
    return false;
  return asked.value.test(fallback.value) === (method === 'match');
}

function holdsWithoutValue(call: CallExpression): boolean {
  const [first, second] = call.arguments;
  const method = assertionOf(call);
  if (first === undefined || method === undefined) return false;
  if (method === 'ok') {
    const held = conditionsOf(first).map(holdsByFallback);
    return held.includes(true) && !held.includes(false);
  }
  if (method !== 'match' && method !== 'doesNotMatch') return false;
  return second !== undefined && matchesFallback(method, first, second);
}

export const missingValue: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      holds: 'This holds where the value is missing. Take a fallback that fails, or ask for the value first.',
    },
  },
  create: (context) => ({
    CallExpression(node) {
      if (holdsWithoutValue(node)) context.report({ node, messageId: 'holds' });
    },
  }),
};
