/**
 * The entry of a table by a name that comes from outside; undefined where it has none. `table[name]` would find what every
 * object inherits (`constructor`, `toString`) as well.
 */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
