// Prints what building the Containerfile does, a line a step, for a place where there is no builder:
//   DIR <folder>, RUN <command of a shell>, COPY <from> … <to>, USER <who does what follows>,
//   START <words of what a container starts>
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', '..', 'Containerfile');
const instructions = readFileSync(file, 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\s*\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '');

const start: string[] = [];
for (const instruction of instructions) {
  const [, keyword = '', words = ''] = /^([A-Z]+) +(.+)$/.exec(instruction) ?? [];
  if (keyword === 'WORKDIR') process.stdout.write(`DIR ${words}\n`);
  else if (['RUN', 'COPY', 'USER'].includes(keyword)) process.stdout.write(`${keyword} ${words}\n`);
  else if (['ENTRYPOINT', 'CMD'].includes(keyword)) start.push(...(JSON.parse(words) as string[]));
  else if (keyword !== 'FROM') throw new Error(`Containerfile: what is to be done here: ${instruction}`);
}
process.stdout.write(`START ${start.join(' ')}\n`);
