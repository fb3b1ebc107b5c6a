import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something that reads what users and other programs give it, and inputs that it takes as they are. */
export interface FuzzedReader {
  readonly id: string;
  /** The modules that do the reading, from the project's folder: how much of them the inputs reach is printed. */
  readonly modules: readonly string[];
  readonly corpus: readonly Buffer[];
  /** Set where its callers take any error that speaks of the input for a refusal. Default: only an `H2h3Error` is one. */
  readonly refusesByAnyError?: true;
  /** Reads `input` by way of an empty folder of its own. */
  read(input: Buffer, folder: string): unknown;
}

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Values as lines of JSON. */
export const jsonLines = (...values: readonly unknown[]): Buffer =>
  Buffer.from(`${values.map((value) => JSON.stringify(value)).join('\n')}\n`);

export function fileIn(folder: string, name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** The lines of an input, as logs are read. */
export async function* linesOf(input: Buffer): AsyncGenerator<string> {
  for (const line of input.toString('utf8').split('\n')) yield await Promise.resolve(line);
}
