import { factors } from '../../src/core/factors/registry.ts';

/** The list of docs/factors.md: what sets each factor, and in italics what proves it. */
export function factorList(): string {
  return factors
    .map(({ id, example, setBy, provenBy }) => `- \`${id}\` (\`${example}\`): ${setBy}. _${provenBy}_`)
    .join('\n');
}
