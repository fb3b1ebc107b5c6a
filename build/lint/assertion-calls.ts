import type { CallExpression, Node } from 'estree';

/** A value that a rule knows by reading; undefined where only a run can tell. */
export type Known = { readonly value: unknown } | undefined;

/** The method of `assert` that a call is of, `ok` for `assert(…)`; undefined where it is none. */
export function assertionOf({ callee }: CallExpression): string | undefined {
  if (callee.type === 'Identifier') return callee.name === 'assert' ? 'ok' : undefined;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const { object, property } = callee;
  return object.type === 'Identifier' && object.name === 'assert' ? property.name : undefined;
}

/** The expression below a type that is said of it, and below a chain's own node. */
export function bare(node: Node): Node {
  const { type, expression } = node as { readonly type: string; readonly expression?: Node };
  const wraps = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'ChainExpression'];
  return wraps.includes(type) && expression !== undefined ? bare(expression) : node;
}
