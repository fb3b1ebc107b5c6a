/**
 * An ESLint rule that finds programs which go by our own sentences: `reason.startsWith('lease lost')`, `reason === 'budget'`,
 * `/calibrate/.test(message)`. Whoever mends such a sentence changes what a program does, so reasons have codes (`src/core/model/reasons.ts`).
 */
import type { Rule, Scope } from 'eslint';
import type { CallExpression, Node } from 'estree';
import { bare } from './assertion-calls.ts';

/** Names, and ends of names, of what holds a sentence. */
const proseName =
  /(?:^|[a-z])(?:reasons?|warnings?|messages?|sentences?|headlines?|caveats?|complaints?|why|amounts?|predicates?|clauses?|phrases?)$/i;
/** The same, and what names a thing for people: nothing may go by a part of it, though it may be equal to another. */
const labelName = new RegExp(
  `${proseName.source}|(?:^|[a-z])(?:quantit(?:y|ies)|notes?|machine|subject|detail)$`,
  'i',
);
/** Functions whose result is one, or the name of an arm in words. */
const proseFunction =
  /^(?:messageOf|failureText|(?:candidate|arm)Name\w*|armTitle|\w+(?:Sentence|Clause|Phrase))$/;

/** Functions that give the sentence that they are given, for a place of its own. */
const keepingFunctions = new Set(['harmless', 'lowered', 'sentenceCase', 'unbroken', 'withoutSteering']);

/** Methods by which a text is asked what it says, and those by which a pattern or a list is. */
const textMethods = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'match',
  'matchAll',
  'search',
  'split',
]);
const askingMethods = new Set(['test', 'exec', 'includes']);
/** Methods whose result is the sentence still, or some of the sentences. */
const keepingMethods = new Set([
  'at',
  'concat',
  'filter',
  'find',
  'join',
  'map',
  'replace',
  'slice',
  'toLowerCase',
  'trim',
]);

function nameOf(given: Node): string | undefined {
  const node = bare(given);
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier') return node.property.name;
  if (node.type === 'MemberExpression' && node.property.type === 'Literal')
    return String(node.property.value);
  return undefined;
}

/** The places from which a name has its value: what it was set to, or what is gone through where it is a parameter. */
function sourcesOf(node: Node, scope: Scope.Scope): Node[] {
  if (node.type !== 'Identifier') return [];
  let at: Scope.Scope | null = scope;
  let variable: Scope.Variable | undefined;
  while (at !== null && variable === undefined) {
    variable = at.set.get(node.name);
    at = at.upper;
  }
  return (variable?.defs ?? []).flatMap((definition) => {
    if (definition.type === 'Variable') return definition.node.init ?? [];
    // What a pattern takes out of a parameter has its own name.
    const parameters: readonly Node[] = definition.type === 'Parameter' ? definition.node.params : [];
    if (!parameters.includes(definition.name)) return [];
    const call = (definition.node as Rule.Node).parent;
    // `warnings.filter((each) => …)`: each is one of the warnings.
    return call?.type === 'CallExpression' && call.callee.type === 'MemberExpression'
      ? [call.callee.object]
      : [];
  });
}

function isProse(given: Node, scope: Scope.Scope, names = proseName, depth = 3): boolean {
  const node = bare(given);
  const name = nameOf(node);
  if (name !== undefined && names.test(name)) return true;
  if (node.type === 'LogicalExpression')
    return isProse(node.left, scope, names, depth) || isProse(node.right, scope, names, depth);
  if (node.type === 'TemplateLiteral')
    return node.expressions.some((part) => isProse(part, scope, names, depth));
  if (node.type === 'ArrayExpression')
    return node.elements.some((part) => part !== null && isProse(part, scope, names, depth));
  if (node.type === 'SpreadElement') return isProse(node.argument, scope, names, depth);
  if (node.type === 'CallExpression') return isProseCall(node, scope, names, depth);
  return depth > 0 && sourcesOf(node, scope).some((source) => isProse(source, scope, names, depth - 1));
}

/** What a function that gives a sentence gives, or a method makes of one. */
function isProseCall(call: CallExpression, scope: Scope.Scope, names: RegExp, depth: number): boolean {
  const { callee } = call;
  const [argument] = call.arguments;
  if (callee.type === 'Identifier' && keepingFunctions.has(callee.name))
    return argument !== undefined && isProse(argument, scope, names, depth);
  if (callee.type === 'Identifier') return proseFunction.test(callee.name);
  if (callee.type !== 'MemberExpression' || !keepingMethods.has(nameOf(callee) ?? '')) return false;
  return isProse(callee.object, scope, names, depth);
}

/** A text or a pattern that somebody wrote, by itself or by the name that it was given here or elsewhere. */
function isWritten(given: Node, scope: Scope.Scope): boolean {
  const node = bare(given);
  if (node.type === 'Literal')
    return typeof node.value === 'string' ? node.value.length > 1 : 'regex' in node;
  if (node.type === 'TemplateLiteral') return node.quasis.some(({ value }) => /[a-z]{2}/i.test(value.raw));
  if (node.type === 'MemberExpression') return isImported(node.object, scope);
  if (node.type !== 'Identifier') return false;
  return isImported(node, scope) || sourcesOf(node, scope).some((source) => isLiteral(source));
}

function isLiteral(given: Node): boolean {
  const node = bare(given);
  return node.type === 'Literal' && (typeof node.value === 'string' || 'regex' in node);
}

function isImported(node: Node, scope: Scope.Scope): boolean {
  if (node.type !== 'Identifier') return false;
  let at: Scope.Scope | null = scope;
  while (at !== null) {
    const variable = at.set.get(node.name);
    if (variable !== undefined) return variable.defs.some(({ type }) => type === 'ImportBinding');
    at = at.upper;
  }
  return false;
}

/** `reason.replace(/:.*$/, '')` takes what stands before a mark for a part of a sentence; a full stop alone may go. */
function cutsWords({ arguments: [pattern, replacement] }: CallExpression): boolean {
  if (replacement?.type !== 'Literal' || replacement.value !== '' || pattern?.type !== 'Literal')
    return false;
  return /[a-z]{2}|[*+]/i.test('regex' in pattern ? pattern.regex.pattern : String(pattern.value));
}

/** Whether a call asks a sentence, or with a sentence, for words that are written in the program. */
function asksProse(call: CallExpression, scope: Scope.Scope): boolean {
  const { callee } = call;
  const [argument] = call.arguments;
  if (callee.type !== 'MemberExpression' || argument === undefined) return false;
  const method = nameOf(callee) ?? '';
  const object = callee.object as Node;
  if (textMethods.has(method) && isProse(object, scope, labelName) && isWritten(argument, scope)) return true;
  if (method === 'replace' && cutsWords(call) && isProse(object, scope)) return true;
  return askingMethods.has(method) && isProse(argument, scope) && isWritten(object, scope);
}

export const proseAsData: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      prose:
        'A program goes by a sentence here. Give the reason a code (src/core/model/reasons.ts) and go by that.',
    },
  },
  create: (context) => {
    const scopeOf = (node: Node): Scope.Scope => context.sourceCode.getScope(node);
    const report = (node: Rule.Node): void => context.report({ node, messageId: 'prose' });
    return {
      CallExpression(node) {
        if (asksProse(node, scopeOf(node))) report(node);
      },
      BinaryExpression(node) {
        if (!['===', '!==', '==', '!='].includes(node.operator)) return;
        const scope = scopeOf(node);
        const sides: [Node, Node] = [node.left, node.right];
        const isFound = [sides, sides.toReversed() as [Node, Node]].some(
          ([prose, written]) => isProse(prose, scope) && isWritten(written, scope),
        );
        if (isFound) report(node);
      },
      SwitchStatement(node) {
        if (isProse(node.discriminant, scopeOf(node))) report(node);
      },
    };
  },
};
