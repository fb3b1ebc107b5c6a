import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** One import of one module by another, as the syntax tree has it. */
export interface Import {
  readonly from: string;
  /** Path below the project for relative imports, else the package or builtin as written. */
  readonly to: string;
  readonly relative: boolean;
  readonly typeOnly: boolean;
  /** `import(…)`: loaded only where it is needed. */
  readonly dynamic: boolean;
}

export const projectDir = join(import.meta.dirname, '..', '..');

/** Every TypeScript file of the given folders, below the project. */
export function sourcesIn(folders: readonly string[]): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: projectDir },
  ).map((file) => file.replaceAll('\\', '/'));
}

const trees = new Map<string, ts.SourceFile>();

/** Parsed once: many tests look at the same files. */
export function syntaxTreeOf(file: string): ts.SourceFile {
  const tree = trees.get(file) ?? parse(file, readFileSync(join(projectDir, file), 'utf8'));
  trees.set(file, tree);
  return tree;
}

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** Calls `look` with every node of a tree. */
export function walk(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => walk(child, look));
}

interface Reference {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

/** The module that a node names, if it names one: imports, re-exports, `import(…)`, `import('…').Type`. */
function referenceOf(node: ts.Node): Reference | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: node.moduleSpecifier.text, typeOnly, dynamic: false };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly, dynamic: false };
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    if (argument && ts.isStringLiteralLike(argument))
      return { specifier: argument.text, typeOnly: false, dynamic: true };
  }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  )
    return { specifier: node.argument.literal.text, typeOnly: true, dynamic: false };
  return undefined;
}

/** Every import of a file, type imports included. */
export function importsOf(file: string, tree: ts.SourceFile = syntaxTreeOf(file)): Import[] {
  const found: Import[] = [];
  walk(tree, (node) => {
    const reference = referenceOf(node);
    if (reference === undefined) return;
    const { specifier, typeOnly, dynamic } = reference;
    const isRelative = specifier.startsWith('.');
    const to = isRelative
      ? relative(projectDir, join(projectDir, dirname(file), specifier)).replaceAll('\\', '/')
      : specifier;
    found.push({ from: file, to, relative: isRelative, typeOnly, dynamic });
  });
  return found;
}

/** `a -> b -> a` for each way from a module back to itself. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'closed'>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (state.get(file) === 'closed') return;
    if (state.get(file) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    state.set(file, 'closed');
  };
  [...graph.keys()].forEach((file) => visit(file, []));
  return cycles;
}
