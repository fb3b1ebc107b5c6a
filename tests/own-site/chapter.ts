import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const title = 'Measure your own site';

/** The command lines of README's chapter about one's own site, as they stand there. */
export function commandsOfChapter(projectDir: string): string[] {
  const readme = readFileSync(join(projectDir, 'README.md'), 'utf8');
  const chapter = readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (chapter === undefined) throw new Error(`README.md has no chapter "${title}"`);
  const blocks = [...chapter.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const lines = blocks
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('npx h2h3 '));
  if (lines.length === 0) throw new Error(`the chapter "${title}" of README.md has no command`);
  return lines;
}
