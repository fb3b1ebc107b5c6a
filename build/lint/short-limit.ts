/** An ESLint rule that finds time limits which a busy machine exceeds by itself. */
import type { Rule } from 'eslint';
import type { Node } from 'estree';
import { bare } from './assertion-calls.ts';

const minLimitMs = 60_000;
/** An option `limitMs` is not among them: what has one is often to reach it. */
const nameOfOption = /^timeout(?:Ms)?$/;
const nameOfConstant = /(?:(?:^l|L)imit|(?:^t|T)imeout)Ms$/;

function isShort(given: Node | null | undefined): boolean {
  const node = given ? bare(given) : undefined;
  return node?.type === 'Literal' && typeof node.value === 'number' && node.value < minLimitMs;
}

const isNamed = (node: Node, name: RegExp): boolean => node.type === 'Identifier' && name.test(node.name);

export const shortLimit: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      short:
        'A busy machine exceeds this by itself: take a minute or more, or a multiple of what it has just needed, such as `slowness()`.',
    },
  },
  create: (context) => ({
    CallExpression(node) {
      const { callee } = node;
      const isTimeout =
        callee.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        callee.object.name === 'AbortSignal' &&
        isNamed(callee.property, nameOfOption);
      if (isTimeout && isShort(node.arguments[0])) context.report({ node, messageId: 'short' });
    },
    Property(node) {
      if (isNamed(node.key, nameOfOption) && isShort(node.value))
        context.report({ node, messageId: 'short' });
    },
    VariableDeclarator(node) {
      if (isNamed(node.id, nameOfConstant) && isShort(node.init))
        context.report({ node, messageId: 'short' });
    },
  }),
};
