import { factors } from '../../src/factors/registry.ts';

/** The table of docs/factors.md. */
export function factorTable(): string {
  return [
    '| factor | such as | set by | proven by |',
    '| --- | --- | --- | --- |',
    ...factors.map(
      ({ id, example, setBy, provenBy }) => `| \`${id}\` | \`${example}\` | ${setBy} | ${provenBy} |`,
    ),
  ].join('\n');
}
