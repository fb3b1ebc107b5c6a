import { init, parse } from 'es-module-lexer';

/** Relative specifiers that a JavaScript module imports, statically or with a literal dynamic import. */
export async function moduleReferences(source: string): Promise<string[]> {
  await init();
  const [imports] = parse(source);
  const specifiers = imports.map((entry) => entry.specifier);
  return specifiers.filter((specifier): specifier is string => specifier?.startsWith('.') ?? false);
}
