/** An ESLint rule that finds time limits which a busy machine exceeds by itself. */
import type { Rule } from 'eslint';
import type { CallExpression, Node } from 'estree';
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

/** Drivers of browsers, whose own limits are half a minute. */
const driver = /^(?:puppeteer|chromium|firefox|webkit)$/;

/** A start of a browser that leaves its limit to the driver. */
function isLeftToDriver({ callee, arguments: [options] }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || !isNamed(callee.property, /^launch$/)) return false;
  if (!isNamed(callee.object, driver)) return false;
  return (
    options?.type !== 'ObjectExpression' ||
    !options.properties.some((one) => one.type === 'Property' && isNamed(one.key, nameOfOption))
  );
}

export const shortLimit: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      short:
        'A busy machine exceeds this by itself: take a minute or more, or a multiple of what it has just needed, such as `slowness()`.',
      unsaid:
        'The driver gives up after half a minute, which a busy machine exceeds: give a `timeout` of a minute or more.',
    },
  },
  create: (context) => ({
    CallExpression(node) {
      if (isLeftToDriver(node)) context.report({ node, messageId: 'unsaid' });
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
